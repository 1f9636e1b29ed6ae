"""What each audience is told and shown: a projection of the facts, and the folds that pages are made of."""
