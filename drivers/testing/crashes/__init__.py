"""The crash campaign: the service killed, its disk torn, cut, full, failing and slow, and its clock moved."""
