"""Does a shuffler shuffle? Statistics over the shoes that journals tell of."""
