"""Why a move of durak cannot be played, in words."""

from __future__ import annotations

from durak_solver.model.cards import lowest_card
from durak_solver.model.layout import Layout
from durak_solver.model.messages import amount
from durak_solver.model.moves import Move
from durak_solver.model.rules import is_strap


def why_illegal(position: Layout, move: Move) -> str:
    """Say in one sentence, without a full stop, why a move is not legal in a legal position."""
    if position.phase == "over":
        reason = "the game is over"
    elif move.kind == "exchange":
        reason = _why_no_exchange(position)
    elif move.kind not in (expected := _expected(position)):
        reason = f"it is {position.to_move}'s turn to {' or '.join(map(_spoken, expected))}"
    elif missing := _why_not_held(position, move):
        reason = missing
    elif move.kind == "lead":
        reason = _why_no_lead(position, move)
    elif move.kind == "beat":
        reason = _why_no_beat(position, move)
    elif move.kind in ("throw", "give"):
        reason = _why_no_throw(position)
    elif move.kind in ("transfer", "show"):
        reason = _why_no_transfer(position, move)
    else:
        reason = "the rules do not allow it here"
    return f"{move} is not legal: {reason}"


def _why_not_held(position: Layout, move: Move) -> str:
    """Say why the player to move cannot hold the cards of a move; an empty text if they can."""
    mover = position.to_move or "a"
    unknown = position.unknown_of(mover)
    others = [card for card in move.cards if card not in position.hand_of(mover)]
    unseen = position.unseen if unknown else ()
    for card in others:
        if card not in unseen:
            return f"{mover} does not hold {card}"
    return f"{mover} has only {amount(unknown, 'unknown card')}" if len(others) > unknown else ""


def _expected(position: Layout) -> list[str]:
    """Return the kinds of move that the phase asks for."""
    rules = position.rules
    if position.phase == "defend":
        return ["beat", "take"] + ["transfer"] * rules.transfer + ["show"] * rules.show
    return {"lead": ["lead"], "throw": ["throw", "done"], "give": ["give", "done"]}[position.phase]


def _spoken(kind: str) -> str:
    return {"throw": "throw in", "done": "say done"}.get(kind, kind)


def _why_no_lead(position: Layout, move: Move) -> str:
    if len({card.rank for card in move.cards}) > 1:
        return "cards led together must be of one rank"
    if len(set(move.cards)) < len(move.cards):
        return "a card can be led only once"
    if position.rules.lead == "one" and len(move.cards) > 1:
        return "with lead=one only one card is led"
    if position.rules.strapmode == "must-take" and any(is_strap(card, position.rules) for card in move.cards):
        return "with strapmode=must-take cards of the strap rank are led last"
    return f"the cap is {amount(position.cap, 'attack card')}"


def _why_no_transfer(position: Layout, move: Move) -> str:
    card, led = move.cards[0], position.table[0][0].rank
    held = position.hand_size_of(position.attacker)
    attacks = len(position.table) + (move.kind == "transfer")
    limit = position.attack_limit
    if any(defence is not None for _, defence in position.table):
        return "something has been beaten already"
    if card.rank != led:
        return f"{card} is not of the led rank"
    if move.kind == "show" and card.suit != position.trump:
        return f"{card} is no trump"
    if move.kind == "show" and position.defender in position.shown:
        return f"{position.defender} has shown in this bout already"
    if limit is not None and attacks > limit:
        return f"the limit is {amount(limit, 'attack card')}"
    return f"{position.attacker} holds only {amount(held)} and would have to beat {attacks}"


def _why_no_beat(position: Layout, move: Move) -> str:
    if (move.target, None) in position.table:
        return f"{move.cards[0]} does not beat {move.target}"
    return f"{move.target} is not on the table to be beaten"


def _why_no_throw(position: Layout) -> str:
    overflows = position.rules.overflow and not position.taking
    if len(position.table) >= position.cap and not overflows:
        return f"the cap is {amount(position.cap, 'attack card')}"
    reasons = {
        "any": "no card of that rank is on the table",
        "lead": "with throw=lead only the led rank may follow",
        "none": "with throw=none nothing may follow the lead",
    }
    return reasons[position.rules.throw]


def _why_no_exchange(position: Layout) -> str:
    if not position.rules.exchange:
        return "it needs exchange=on"
    if position.trump is None:
        return "there is no trump suit"
    if not position.stock:
        return "the stock is used up, and the turn-up with it"
    lowest = lowest_card(position.rules.deck, position.trump)
    if position.stock[-1] is lowest:
        return f"the turn-up {lowest} is itself the lowest trump"
    return f"{position.to_move} does not hold {lowest}, the lowest trump"
