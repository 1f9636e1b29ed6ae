"""How the table's computer and its devices are: for `/healthz`, `/metrics`, alarms and `tablectl status`."""
