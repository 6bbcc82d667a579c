"""Write positions/RESULTS.md: what the endings tables say about the game.

    python -m tools.results.write [--tables DIR] [--cards N]

The tables must be there (``durak tables build --cards N``). Up to twelve cards it takes some minutes. The same tables
give the same file, byte for byte.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from durak_solver._core.distance import DistanceSearcher
from durak_solver._core.endings import Endings
from durak_solver._core.search import Searcher
from durak_solver._core.state import State
from durak_solver._core.survey import survey, winning_leads
from durak_solver.engine.tables.files import file_name
from durak_solver.engine.tables.lookup import Tables
from durak_solver.game import core
from durak_solver.model.cards import deck_cards
from durak_solver.model.rules import Rules
from tools.results.folk_rules import EVERY_RULE, TRUMP, Side, position_of, refutations

SEED: Final = 20251130
CARDS: Final = 11
# Up to these numbers of cards all deals are counted, the leads that win in all of them, and all wins are measured.
ALL_DEALS: Final = 9
ALL_LEADS: Final = 8
ALL_LENGTHS: Final = 8
SAMPLE: Final = 100_000

_RULES: Final = Rules()
_DECK: Final = [core.card_set([card], TRUMP) for card in deck_cards(_RULES.deck)]
_RANKS: Final = len(_DECK) // 4
_FILE: Final = Path(__file__).parents[2] / "positions" / "RESULTS.md"


@dataclass(frozen=True)
class Cell:
    """What was found about deals of some hand sizes.

    Attributes
    ----------
    loss, draw, win
        Shares of the deals, for the leader.
    burden
        Share in which the leader would be better off if the other led.
    single
        Share of the won deals that one lead only wins.
    """

    loss: float
    draw: float
    win: float
    burden: float
    single: float


@dataclass(frozen=True)
class Longest:
    """The longest game among positions of some hand sizes.

    Attributes
    ----------
    length
        0 if none is won.
    winner
        ``leader`` or ``other``.
    position
        DPN of the first such position.
    """

    length: int
    winner: str
    position: str


class Facts:
    """All that is asked of the tables.

    Parameters
    ----------
    cards
        Up to how many live cards.

    Raises
    ------
    ValueError
        If the tables do not hold them.
    """

    def __init__(self, tables: Tables, cards: int) -> None:
        endings = tables.endings(_RULES)
        if endings is None or endings.largest < cards:
            raise ValueError(
                f"tables of {cards} cards are needed, and are not in {tables.directory}: "
                f"`durak tables build --cards {cards}` makes them"
            )
        self.cards = cards
        self.endings: Endings = endings
        self.files = {path.name: path for path in tables.files(_RULES)}
        self._searcher = Searcher(2**20)
        self._searcher.use(endings)
        self._searcher.start(None, None)
        self._measurer = DistanceSearcher(self._searcher, 2**24)
        self.survey = cache(self._survey)
        self.cell = cache(self._cell)
        self.longest = cache(self._longest)

    def size(self, total: int) -> int:
        """Return the size of a table in bytes."""
        return self.files[file_name(_RULES, total)].stat().st_size

    def tally(self, total: int) -> tuple[int, ...]:
        """Return how many classes are lost, drawn and won."""
        return _sums(self.endings.tally(total, leaders) for leaders in range(1, total))

    def positions(self, total: int) -> tuple[int, ...]:
        """Return how many positions are lost, drawn and won."""
        return _sums(self.survey(total, leaders)[0] for leaders in range(1, total))

    def _survey(self, total: int, leaders: int) -> tuple[tuple[int, int, int], tuple[int, int, int], int, int]:
        return survey(self.endings, total, leaders, _RANKS, total <= ALL_LEADS)

    def _cell(self, leaders: int, others: int) -> Cell:
        """Return the shares for some hand sizes."""
        total = leaders + others
        sample = self._sample(leaders, others) if total > ALL_LEADS else None
        if total > ALL_DEALS:
            assert sample is not None
            return sample
        _, deals, burdens, single = self.survey(total, leaders)
        loss, draw, win = (number / sum(deals) for number in deals)
        return Cell(loss, draw, win, burdens / sum(deals), sample.single if sample else single / deals[2])

    def _sample(self, leaders: int, others: int) -> Cell:
        """Return the shares in some deals drawn at random."""
        rng, endings = random.Random(f"{SEED} {leaders}v{others}"), self.endings
        values, burdens, single = [0, 0, 0], 0, 0
        for _ in range(SAMPLE):
            dealt = rng.sample(_DECK, leaders + others)
            leader, other = sum(dealt[:leaders]), sum(dealt[leaders:])
            value, turned = endings.probe(leader, other), endings.probe(other, leader)
            assert value is not None and turned is not None
            values[value + 1] += 1
            burdens += value + turned < 0
            single += value == 1 and winning_leads(endings, leader, other) == 1
        loss, draw, win = (number / SAMPLE for number in values)
        return Cell(loss, draw, win, burdens / SAMPLE, single / values[2])

    def _longest(self, leaders: int, others: int) -> tuple[Longest, Longest]:
        """Return the longest games in plies and in bouts, of all positions with some hand sizes."""
        rules, total = core.rule_set(_RULES, "s"), leaders + others
        plies = bouts = Longest(0, "", "")
        for number in range(self.endings.count(total, leaders)):
            hands = self.endings.unrank(total, leaders, number)
            value = self.endings.probe(*hands)
            if not value:
                continue
            state, winner = State(rules, attacker=0, hands=hands), 0 if value > 0 else 1
            long, many = self._measurer.plies(state, winner), self._measurer.bouts(state, winner)
            assert long is not None and many is not None
            if long > plies.length:
                plies = Longest(long, ("leader", "other")[winner], position_of(hands).to_dpn())
            if many > bouts.length:
                bouts = Longest(many, ("leader", "other")[winner], position_of(hands).to_dpn())
        return plies, bouts


def _sums(rows: Iterator[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


# --- The text ---------------------------------------------------------------------------------------------------------


def text(facts: Facts) -> str:
    """Return the file."""
    sections = (_head, _counts, _winners, _burdens, _singles, _lengths, _folk_rules)
    return "\n\n".join(section(facts) for section in sections) + "\n"


def _head(facts: Facts) -> str:
    return f"""\
# What the endings tables say

Every ending of up to {facts.cards} cards is solved: two hands, all cards open, the stock empty, a trump suit, a bout
about to begin, the default rules ([podkidnoy](../docs/rules.md)). `python -m tools.results.write` writes this file,
from the [tables](../docs/tables.md).

The *leader* leads the first bout, against the *other*; "3 v 2" are the sizes of their hands, the leader's first. Shares
are of **deals**: so many cards for each out of {len(_DECK)}, with a given trump suit and all other cards gone, every
deal as likely as any other. They are exact up to {ALL_DEALS} cards. Above, they are those among {SAMPLE:,} deals for
each pair of hand sizes, drawn with a fixed seed, and within about 0.3 points of the truth."""


def _counts(facts: Facts) -> str:
    rows = ["| cards | classes | bytes | loss | draw | win | positions | loss | draw | win |", "|---" * 10 + "|"]
    for total in range(2, facts.cards + 1):
        classes = facts.tally(total)
        numbers = [total, sum(classes), facts.size(total), *classes]
        if total <= ALL_DEALS:
            positions = facts.positions(total)
            numbers += [sum(positions), *positions]
        rows.append(f"| {' | '.join(f'{number:,}' for number in numbers)} |")
    return f"""\
## How many

{_lines(rows)}

Positions differ in more than ranks without a card and the names of plain suits; those of one class the rules cannot
tell apart ([how](../docs/tables.md)). Each counts once here, however many deals lead to it; above {ALL_DEALS} cards
only classes were counted. Wins and losses are the leader's. With an odd number of cards there is no draw: a draw leaves
no card, and only a beaten bout discards, an even number each time."""


def _winners(facts: Facts) -> str:
    def loss(a: int, b: int) -> float:
        return facts.cell(a, b).loss

    def draw(a: int, b: int) -> float:
        return facts.cell(a, b).draw

    def win(a: int, b: int) -> float:
        return facts.cell(a, b).win

    many = facts.cards - 1
    return f"""\
## Who wins

The leader wins, % of deals:

{_matrix(facts.cards, win)}

The leader loses, % of deals:

{_matrix(facts.cards, loss)}

Draws, % of deals:

{_matrix(facts.cards, draw)}

- One card against two or more always wins: beaten or not, it was the leader's last.
- Of all other sizes, the lead loses least often at {_extreme(facts, loss, min)}, and most often at
  {_extreme(facts, loss, max)}.
- Many cards are no handicap: {many} v 1 wins {_percent(win(many, 1))} % of deals, 2 v {many - 1} only
  {_percent(win(2, many - 1))} %.
- Draws are rare: nowhere but at 1 v 1 more frequent than at {_extreme(facts, draw, max)}."""


def _burdens(facts: Facts) -> str:
    def burden(a: int, b: int) -> float:
        return facts.cell(a, b).burden

    return f"""\
## When nobody wants to lead

Deals in which either player does worse as the leader than when the other leads, %:

{_matrix(facts.cards, burden, digits=2)}

To lead is almost never a burden, but sometimes it is: most often at {_extreme(facts, burden, max, digits=2)}."""


def _singles(facts: Facts) -> str:
    return f"""\
## One winning lead

Deals in which only one lead wins, % of those that the leader wins. Every lead of one card or of several counts, also
where two cannot be told apart. Above {ALL_LEADS} cards the share is that among {SAMPLE:,} deals:

{_matrix(facts.cards, lambda a, b: facts.cell(a, b).single)}"""


def _lengths(facts: Facts) -> str:
    cards = min(facts.cards, ALL_LENGTHS)
    rows = ["| cards | plies | won by the | position | bouts | won by the | position |", "|---" * 7 + "|"]
    for total in range(2, cards + 1):
        found = [facts.longest(leaders, total - leaders) for leaders in range(1, total)]
        plies, bouts = (max((pair[what] for pair in found), key=lambda one: one.length) for what in (0, 1))
        parts = [f"{one.length} | {one.winner} | `{one.position}`" for one in (plies, bouts)]
        rows.append(f"| {total} | {' | '.join(parts)} |")
    return f"""\
## The longest wins

The winner hurries, and the loser delays. Of all positions with so many cards those that last longest, in plies (moves
of both, "take" and "done" too) and in bouts, each time the first of them in the index:

{_lines(rows)}

By hand sizes, in plies:

{_matrix(cards, lambda a, b: facts.longest(a, b)[0].length, share=False)}

In bouts:

{_matrix(cards, lambda a, b: facts.longest(a, b)[1].length, share=False)}

Above {ALL_LENGTHS} cards nothing is claimed. `durak analyse --distance` shows how such a game goes."""


def _folk_rules(facts: Facts) -> str:
    found = refutations(facts.endings, facts.cards)
    rows = ["| rule | by the rule | better |", "|---" * 3 + "|"]
    for rule in EVERY_RULE:
        if rule in found:
            rows.append(f"| {rule} | {_side(found[rule].by_rule)} | {_side(found[rule].better)} |")
    return f"""\
## Rules of thumb

Each is wrong in the position shown, and in none with fewer cards at the start of the bout; tried were all bout starts,
the answers to one led card, and what may be given if it is taken. Two positions are compared by what they are worth to
a, two moves by what they are worth to the player to move:

{_lines(rows)}

[More positions](puzzles/folk-rules.dpn) where such rules are wrong are among the puzzles."""


def _side(side: Side) -> str:
    move = f" and `{side.move}`" if side.move else ""
    return f"`{side.position.to_dpn()}`{move}: {('loss', 'draw', 'win')[side.value + 1]}"


def _matrix(cards: int, number: Callable[[int, int], float], *, share: bool = True, digits: int = 1) -> str:
    """Return a table with a row for each hand size of the leader and a column for each of the other."""
    rows = [f"| leader \\ other | {' | '.join(map(str, range(1, cards)))} |", "|---" * cards + "|"]
    for leaders in range(1, cards):
        numbers = (number(leaders, others) for others in range(1, cards - leaders + 1))
        shown = [_percent(one, digits) if share else str(one) for one in numbers]
        rows.append(f"| **{leaders}** | {' | '.join(shown)} |")
    return _lines(rows)


def _extreme(
    facts: Facts, number: Callable[[int, int], float], most: Callable[..., tuple[int, int]], digits: int = 1
) -> str:
    """Return the hand sizes with the most or the least of something, where the leader has two cards or more."""
    sizes = [(a, total - a) for total in range(3, facts.cards + 1) for a in range(2, total)]
    a, b = most(sizes, key=lambda size: number(*size))
    return f"{a} v {b} ({_percent(number(a, b), digits)} %)"


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def _lines(rows: list[str]) -> str:
    return "\n".join(rows)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description="Write positions/RESULTS.md: what the endings tables say.")
    parser.add_argument("--tables", type=Path, help="folder of the tables (default: where they are found)")
    parser.add_argument("--cards", type=int, default=CARDS, help="up to how many live cards (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        facts = Facts(Tables(arguments.tables), arguments.cards)
    except ValueError as error:
        parser.error(str(error))
    _FILE.write_text(text(facts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
