"""The rules in force as plain sentences, in English and Russian.

Every sentence stands here once for each language, side by side, under the condition that calls for it: so both say the
same of every game. A Russian bout is an "атака", because "кон" is a game for some and a bout for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from durak_solver.model.cards import deck_cards
from durak_solver.model.messages import quoted
from durak_solver.model.rules import Rules, next_strap
from durak_solver.show.rules import bout
from durak_solver.show.rules.words import (
    NUMBERS,
    QUEENS,
    RANKS,
    STRAPS,
    Said,
    cards,
    have_cards_ru,
    listed,
    lowest_rank,
    may_follow,
    may_transfer,
    may_transfer_by_card,
    of_cards_ru,
    one_attack_card,
)

LANGUAGES: Final = ("en", "ru")


@dataclass(frozen=True, slots=True)
class Section:
    """What the rules say of one thing."""

    title: str
    sentences: tuple[str, ...]


def describe_rules(rules: Rules, lang: str = "en") -> tuple[Section, ...]:
    """Say in plain sentences how the game goes by some rules, in the order in which one explains it.

    Options that change nothing beside the others are not spoken of. English sentences are ASCII. ValueError if there is
    no such language.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang={quoted(lang)} is not known: choose one of {', '.join(LANGUAGES)}")
    spoken = LANGUAGES.index(lang)
    parts = _round_game(rules) if rules.game == "round" else _durak(rules)
    return tuple(Section(title[spoken], tuple(said[spoken] for said in sentences)) for title, sentences in parts)


# --------------------------------------------------------------------------------------------------------- the sections


def _durak(rules: Rules) -> tuple[tuple[Said, Iterator[Said]], ...]:
    return (
        (("Deck, deal and trump", "Колода, сдача, козырь"), _deal(rules)),
        (("Who leads", "Кто ходит"), _lead(rules)),
        (("What beats what", "Что чем бьётся"), _beat(rules)),
        (("Throwing in", "Подкидывание"), bout.throw(rules)),
        (("The cap", "Предел"), bout.cap(rules)),
        (("Taking", "Если берут"), bout.take(rules)),
        (("Transferring", "Перевод"), bout.transfer(rules)),
        (("After the bout", "После атаки"), _after(rules)),
        (("The end", "Конец игры"), _end(rules)),
        (("Straps", "Погоны"), _straps(rules)),
    )


def _round_game(rules: Rules) -> tuple[tuple[Said, Iterator[Said]], ...]:
    return (
        (("Deck and trump", "Колода и козырь"), _round_deck(rules)),
        (("What beats what", "Что чем бьётся"), _beat(rules)),
        (("In turn", "Ход игры"), _round_turns()),
        (("The end", "Конец игры"), _round_end()),
    )


def _round_deck(rules: Rules) -> Iterator[Said]:
    yield next(_deal(rules))
    yield (
        "Two players hold open hands; there is no stock, and cards that are not dealt are out of play.",
        "Двое держат карты открытыми; запаса нет, а карты, которые не сданы, в игре не участвуют.",
    )


def _round_turns() -> Iterator[Said]:
    yield (
        "There is one pile. Whoever is to move when it is empty leads one card, any card.",
        "Стопка одна. Если она пуста, тот, чья очередь, ходит любой одной картой.",
    )
    yield (
        "Otherwise he puts on the pile a card that beats its top card, or takes its bottom card.",
        "Иначе он кладёт на стопку карту, которая бьёт верхнюю, или забирает нижнюю карту стопки.",
    )
    yield (
        "He may take even if he could beat; then the other player has the same top card before him.",
        "Забрать можно и тогда, когда есть чем бить; тогда перед соперником лежит та же верхняя карта.",
    )
    yield (
        "Each move passes the turn, a take as well. Nothing is discarded.",
        "После каждого хода, в том числе когда карту забрали, очередь переходит к сопернику. В отбой ничего не уходит.",
    )


def _round_end() -> Iterator[Said]:
    yield (
        "Whoever puts down his last card has won at once; the other one is the durak.",
        "Кто выложил последнюю карту, тот сразу выиграл; другой — дурак.",
    )
    yield (
        "If neither side can force that, the game goes round for ever and is a draw.",
        "Если этого не может добиться никто, игра ходит по кругу и кончается вничью.",
    )


def _deal(rules: Rules) -> Iterator[Said]:
    english, russian, genitive = lowest_rank(rules)
    size = f"The deck has {cards(rules.deck)}: four suits, from the {english} to the ace"
    size_ru = f"В колоде {have_cards_ru(rules.deck)}: четыре масти, от {genitive} до туза"
    if rules.deck == 54:
        yield f"{size}, and two jokers, a red and a black one.", f"{size_ru}, и два джокера, красный и чёрный."
        yield "The two jokers count as one rank.", "Джокеры — карты одного достоинства."
    else:
        yield f"{size}.", f"{size_ru}."
    yield (
        f"Two players are dealt {cards(rules.hand)} each; the rest is the stock.",
        f"Двум игрокам сдают по {have_cards_ru(rules.hand)}, остальные карты — колода, из которой добирают.",
    )
    if rules.lock:
        yield (
            "Diamonds are always trumps: the card that lies open under the stock, the turn-up, is a diamond.",
            "Козыри всегда бубны: под колодой открывают бубновую карту.",
        )
    else:
        yield (
            "The card that lies open under the stock, the turn-up, names the trump suit.",
            "Открытая карта под колодой показывает козырную масть.",
        )
    if rules.deck == 54:
        yield "A joker is never turned up.", "Джокера под колодой не открывают."
    if rules.exchange:
        yield (
            f"Whoever holds the lowest trump, the {english}, may swap it for the turn-up when it is his turn to move, "
            "as long as the turn-up lies there.",
            f"У кого младший козырь, {russian}, тот в свой черёд может обменять его на открытую карту, пока она лежит "
            "под колодой.",
        )
    else:
        yield "The turn-up cannot be swapped for another trump.", "Обменять открытую карту на свой козырь нельзя."


def _lead(rules: Rules) -> Iterator[Said]:
    yield (
        "In the first game whoever holds the lowest trump leads (seat a if nobody has a trump), in a further game the "
        "winner of the one before.",
        "В первой партии начинает тот, у кого младший козырь (если козырей нет ни у кого — игрок a), в следующей — "
        "победитель предыдущей.",
    )
    if rules.lead == "one" or one_attack_card(rules):
        yield "The attacker leads one card.", "Атакующий ходит одной картой."
    else:
        yield (
            "The attacker leads one card, or several of one rank at once.",
            "Атакующий ходит одной картой или сразу несколькими картами одного достоинства.",
        )


def _beat(rules: Rules) -> Iterator[Said]:
    ranks = dict.fromkeys(card.rank for card in deck_cards(rules.deck) if not card.is_joker)
    names = [NUMBERS.get(rank) or RANKS[rank][:2] for rank in ranks]
    yield (
        f"A card is beaten by a higher card of its suit; from low to high: {', '.join(name for name, _ in names)}.",
        f"Карта бьётся старшей картой своей масти; от младшей к старшей: {', '.join(name for _, name in names)}.",
    )
    # A joker may beat a trump, too.
    only, only_ru = ("", "") if rules.deck == 54 else ("only ", "только ")
    if rules.lock:
        if rules.deck == 54:
            none, none_ru = "no trump and no joker", "ни козырь, ни джокер их не берёт"
        else:
            none, none_ru = "no trump", "козырь их не берёт"
        yield (
            f"A spade is beaten by a higher spade alone: {none} beats it.",
            f"Пики бьются только старшими пиками: {none_ru}.",
        )
        others, others_ru = "A club or a heart", "Трефы и черви"
    else:
        others, others_ru = "A card that is not a trump", "Некозырная карта"
    beaten_ru = "бьются" if rules.lock else "бьётся"
    yield (
        f"{others} is also beaten by any trump; a trump {only}by a higher trump.",
        f"{others_ru} {beaten_ru} также любым козырем, козырь — {only_ru}старшим козырем.",
    )
    if rules.ace6:
        english, russian, _ = lowest_rank(rules)
        yield (
            f"There is one exception: the lowest trump, the {english}, beats the trump ace.",
            f"Исключение: младший козырь, {russian}, бьёт козырного туза.",
        )
    else:
        yield "No trump beats the trump ace.", "Козырного туза не бьёт ни один козырь."
    if rules.deck == 54:
        yield from _jokers(rules)


def _jokers(rules: Rules) -> Iterator[Said]:
    if rules.jokers == "colour":
        if rules.lock:  # diamonds are trumps, and the black joker beats none
            yield (
                "The red joker beats every diamond, all of them trumps, and every heart, the black joker every club.",
                "Красный джокер бьёт любую бубну, то есть любой козырь, и любую черву, чёрный — любую трефу.",
            )
        else:
            yield (
                "The red joker beats every diamond and heart, the black joker every spade and club, trumps too.",
                "Красный джокер бьёт любую бубну и черву, чёрный — любую пику и трефу, в том числе козырную.",
            )
    else:
        but, but_ru = (" but the spades", "кроме пик и джокеров") if rules.lock else ("", "кроме джокера")
        yield (
            f"Either joker beats all cards of the four suits{but}, trumps too.",
            f"Любой джокер бьёт любую карту, {but_ru}, в том числе козырную.",
        )
    yield "Nothing beats a joker.", "Джокера не бьёт ничто."


def _after(rules: Rules) -> Iterator[Said]:
    yield (
        "If everything is beaten, the cards go to the discard, and the defender leads next.",
        "Если всё побито, карты уходят в отбой, и следующим ходит отбившийся.",
    )
    yield (
        "If the defender takes, he gets all the cards on the table, and the attacker leads again.",
        "Если отбивающийся взял, все карты со стола достаются ему, и снова ходит атаковавший.",
    )
    last, last_ru = ("last ", " последним") if may_transfer(rules) else ("", "")
    yield (
        f"Then both draw from the stock up to {cards(rules.hand)}, the {last}attacker first; the turn-up is drawn "
        "last, and nobody may decline.",
        f"Затем оба добирают из колоды до {of_cards_ru(rules.hand)}, сначала тот, кто{last_ru} атаковал; открытую "
        "карту берут последней, отказаться от добора нельзя.",
    )


def _end(rules: Rules) -> Iterator[Said]:
    yield (
        "Once the stock is used up, whoever has no card left after a bout has won; the other one is the durak.",
        "Когда колода кончилась, выигрывает тот, кто после атаки остался без карт; другой — дурак.",
    )
    yield (
        "With the attacker's last card the game is not over yet: the defender still answers it.",
        "Последняя карта атакующего игру ещё не кончает: отбивающийся на неё отвечает.",
    )
    if rules.both == "draw":
        yield "If neither has a card left, the game is a draw.", "Если карт не осталось ни у кого — ничья."
    else:
        yield (
            "If neither has a card left, the attacker has won, as he was the first to have none.",
            "Если карт не осталось ни у кого, выиграл атаковавший: он избавился от них первым.",
        )
    if may_transfer(rules):
        yield (
            "A game in which the same position would come back for ever is a draw.",
            "Если партия идёт по кругу и никто не может этого избежать с выгодой для себя — ничья.",
        )
        yield (
            "A game that is played here is drawn when a position has come up for the third time.",
            "За столом ничью объявляют, когда позиция встретилась в третий раз.",
        )


def _straps(rules: Rules) -> Iterator[Said]:
    if rules.straps is None:
        yield "There are none: a win is a win.", "Погоны не вешают: выигрыш есть выигрыш."
        return
    one, plural = QUEENS.get(rules.straps), STRAPS[rules.straps[0]]
    if all(rules.straps[0] != card.rank for card in deck_cards(rules.deck)):
        yield (
            f"This deck has no {plural[0]}: straps cannot be hung.",
            f"В этой колоде нет {plural[2]}: погон не повесить.",
        )
        return
    if rules.lock and rules.straps == "Qd":
        yield "The queen of diamonds is a trump: straps cannot be hung.", "Бубновая дама — козырь: погон не повесить."
    else:
        yield from _hanging(rules)
        yield from _session(rules)
    yield from _strapmode(rules, one)


def _strapmode(rules: Rules, one: Said | None) -> Iterator[Said]:
    if rules.strapmode == "must-take":
        held, held_ru = one or ("such a card", "такая карта")
        transferred, transferred_ru = (" or transferred", " или перевести") if may_transfer(rules) else ("", "")
        yield (
            f"In an attack {held} cannot be beaten, only taken{transferred}, and may be led only by a player who holds "
            "nothing else.",
            f"В атаке {held_ru} не бьётся, её можно только взять{transferred_ru}, а ходить ею можно, только когда "
            "других карт на руках нет.",
        )
    elif one:
        yield "It is led and beaten like any other card.", "Ходят ею и бьют её, как любую другую карту."
    else:
        yield "Such cards are led and beaten like any others.", "Ходят такими картами и бьют их, как любые другие."


def _hanging(rules: Rules) -> Iterator[Said]:
    one, plural = QUEENS.get(rules.straps or ""), STRAPS[(rules.straps or "")[0]]
    if one:
        yield (
            f"The winner hangs one strap on the durak if he attacked in the last bout, {one[0]} was all of his last "
            "attack, and it is not a trump.",
            f"Победитель вешает дураку один погон, если последним атаковал он, напоследок пошла одна {one[1]} и "
            "она не козырь.",
        )
    else:
        yield (
            "The winner hangs straps on the durak if he attacked in the last bout and all cards of his last attack "
            f"were {plural[0]}, none of them a trump: a strap for each card.",
            f"Победитель вешает дураку погоны, если последним атаковал он и напоследок пошли одни {plural[1]}, "
            "среди них ни одного козыря: сколько карт, столько погон.",
        )
    parts = ["his lead"] + ["the card he threw in last"] * may_follow(rules)
    parts_ru = ["его ход"] + ["последнюю подкинутую карту"] * may_follow(rules)
    if may_transfer_by_card(rules):
        parts, parts_ru = [*parts, "the card he transferred with"], [*parts_ru, "карту, которой он перевёл"]
    given, given_ru = (
        (", with those he gave after the take", ", вместе с данными вдогонку")
        if rules.pursuit and may_follow(rules)
        else ("", "")
    )
    yield (
        f"His last attack is {listed(parts, 'or')}{given}.",
        f"Считают {listed(parts_ru, 'или')}{given_ru}.",
    )
    if one:
        yield (
            "A win with the strap is better for the winner, and worse for the durak, than one without it.",
            "Выигрыш с погоном лучше для победителя и хуже для дурака, чем без него.",
        )
    else:
        yield (
            "The more straps, the better for the winner and the worse for the durak.",
            "Чем больше погон, тем лучше победителю и тем хуже дураку.",
        )


def _session(rules: Rules) -> Iterator[Said]:
    """Say what comes once straps are hung; nothing for queens of all suits, which no session comes to."""
    if rules.straps == "Q":
        return
    after = next_strap(rules.straps or "", queen="Qs")
    if after is None:
        yield "Once it is hung, the session is over.", "Погон повешен — игра на погоны окончена."
    elif after in QUEENS:
        yield (
            "Once straps are hung, the next game is for the queen of one agreed suit, alone.",
            "Погоны повешены — дальше играют на даму одной, заранее выбранной масти.",
        )
    else:
        yield (
            f"Once straps are hung, the next game is for {STRAPS[after][0]}.",
            f"Погоны повешены — дальше играют на {STRAPS[after][3]}.",
        )
