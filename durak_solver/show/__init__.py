"""Positions and analyses drawn for people."""
