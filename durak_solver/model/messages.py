"""How pieces of somebody's text, and numbers, are shown in messages."""

from __future__ import annotations

from typing import Final

# How much of a long line is repeated, in characters on either side of the caret.
_CONTEXT: Final = 60
_UNREADABLE: Final = 10**12

STOP_REASONS: Final = {
    "nodes": "the limit of nodes was reached",
    "seconds": "the time was up",
    "memory": "there was no more memory",
    "interrupt": "the search was interrupted",
}
"""Why a search ended early, in words."""


def quoted(value: object, width: int = 40) -> str:
    """Return a value as it would be typed in Python; of a text at most `width` characters."""
    if isinstance(value, str) and len(value) > width:
        return repr(value[:width]) + "..."
    return repr(value)


def counted(number: int) -> str:
    """Return a number as ``"124,324,200"``; one with more digits than anybody reads as ``"about 1.2e28"``."""
    if number < _UNREADABLE:
        return f"{number:,}"
    power = len(str(number)) - 1
    return f"about {number / 10**power:.1f}e{power}"


def amount(number: int, noun: str = "card") -> str:
    """Return a number with its noun, such as ``"1 card"`` or ``"3 attack cards"``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def os_reason(error: OSError) -> str:
    """Return why a file or folder cannot be used, as part of a sentence."""
    return (error.strerror or str(error)).lower()


def lasting(plies: int | None, bouts: int | None) -> str:
    """Return how long a game lasts, such as ``"9 plies, 3 bouts"``, without what is not known."""
    lengths = ((plies, "ply", "plies"), (bouts, "bout", "bouts"))
    return ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in lengths if number is not None)


def underlined(text: str, offset: int) -> str:
    """Return two lines: a line of text, and a caret under the character at `offset` or after its end.

    Characters that a terminal would not show are replaced by visible ones; of a long line the surroundings are shown.
    """
    first = max(0, offset - _CONTEXT)
    before = ("..." if first else "") + "".join(map(_visible, text[first:offset]))
    after = "".join(map(_visible, text[offset : offset + _CONTEXT])) + ("..." if offset + _CONTEXT < len(text) else "")
    return f"{before}{after}\n{' ' * sum(map(_columns, before))}^"


# unicodedata is only needed to explain a mistake: not worth importing with the package.


def _visible(sign: str) -> str:
    from unicodedata import category  # noqa: PLC0415

    if ord(sign) < 0x20:
        return chr(0x2400 + ord(sign))  # the picture of the control character
    return "\N{REPLACEMENT CHARACTER}" if category(sign) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") else sign


def _columns(sign: str) -> int:
    """Return how many columns a terminal gives to a character."""
    from unicodedata import category, east_asian_width  # noqa: PLC0415

    if category(sign) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(sign) in ("W", "F") else 1
