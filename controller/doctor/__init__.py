"""What would keep a table from working on this machine, and what to do about it: looked up, never changed."""
