"""Positions and analyses drawn for people.

Throughout, `style` says how cards are written (``"ascii"``, ``"unicode"`` or ``"russian"``), and `width` after how many
columns lines are broken; None: not at all.
"""
