"""Device drivers: each device has its codec, driver and simulator side by side."""
