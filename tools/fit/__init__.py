"""Fitting the weights of the core to solved positions."""
