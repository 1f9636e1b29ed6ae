"""For trying host software and drivers: faults on a simulated device's line, and campaigns of them."""
