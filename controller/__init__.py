"""The table controller: rules, machines, journal, service and outputs of one baccarat table."""
