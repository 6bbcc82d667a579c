"""The rules of a bout in plain sentences: throwing in, the cap, taking and transferring."""

from __future__ import annotations

from collections.abc import Iterator

from durak_solver.model.rules import Rules
from durak_solver.show.rules.words import (
    Said,
    cards,
    have_cards_ru,
    listed,
    may_follow,
    may_transfer,
    may_transfer_by_card,
    of_cards_ru,
    one_attack_card,
)


def throw(rules: Rules) -> Iterator[Said]:
    """Say what may be thrown in."""
    if rules.throw == "none":
        yield (
            "Nothing is thrown in: when the attack is beaten, the bout is over.",
            "Подкидывать нельзя: отбита атака — и бито.",
        )
        return
    if one_attack_card(rules):
        yield "Nothing can be thrown in, as a bout has one attack card.", "Подкинуть нельзя: в атаке одна карта."
        return
    begin = "When everything is beaten, the attacker may throw in cards, one at a time,"
    begin_ru = "Когда всё побито, атакующий может подкидывать по одной карте"
    if rules.throw == "any":
        yield (
            f"{begin} of the ranks on the table, of cards that attacked and of cards that beat them.",
            f"{begin_ru} тех достоинств, что уже лежат на столе: и тех, которыми ходили, и тех, которыми били.",
        )
    else:
        yield (
            f"{begin} but only of the rank that was led.",
            f"{begin_ru}, но только того достоинства, с которого ходили.",
        )
    yield (
        'When he has no such card, or wants to keep it, he says "done".',
        "Больше подкинуть нечего или не хочется — говорит «бито».",
    )


def cap(rules: Rules) -> Iterator[Said]:
    """Say how many attack cards a bout may have."""
    if rules.limit == "hand":
        yield (
            "A bout may have as many attack cards as the defender held when it began; no number limits it.",
            "В атаке может быть столько карт, сколько их было у отбивающегося в её начале («до завала»).",
        )
    else:
        most = f"{rules.limit} attack card{'' if rules.limit == 1 else 's'}{_counted_en(rules)}"
        yield (
            f"A bout may have at most {most}, and no more than the defender held when it began.",
            f"В атаке может быть не больше {of_cards_ru(rules.limit)}{_counted_ru(rules)} и не больше, чем карт "
            "было у отбивающегося в её начале.",
        )
    yield (
        "The cards that he has used up to beat do not make this number smaller.",
        "Карты, которыми он отбился, этого числа не уменьшают.",
    )
    if may_transfer(rules):
        yield (
            "After a transfer it is the new defender's hand that counts, as it is then.",
            "После перевода считают карты нового отбивающегося, сколько их у него тогда есть.",
        )
    if may_transfer_by_card(rules) and rules.short != "forbid":
        no_more, no_more_ru = (
            ("; then nothing more can be thrown in", "; тогда подкидывать уже нельзя")
            if may_follow(rules)
            else ("", "")
        )
        yield (
            f"A transfer itself may bring more attack cards than he holds{no_more}.",
            f"Сам перевод может довести атаку и до большего числа карт, чем у него есть{no_more_ru}.",
        )
    if rules.first is not None:
        yield (
            f"As long as nothing has been beaten off and the discard is empty, the limit is {cards(rules.first)}.",
            f"Пока ничего не отбито и отбой пуст, предел — {have_cards_ru(rules.first)}.",
        )
    else:
        yield "The first bout is no exception.", "Первый отбой — не исключение."
    if rules.throw != "none":
        yield _overflow(rules)


def _counted_en(rules: Rules) -> str:
    kinds = ["thrown in"] * may_follow(rules) + ["given"] * (may_follow(rules) and rules.pursuit)
    kinds += ["transferred"] * may_transfer_by_card(rules)
    return f", counting those {listed(kinds, 'and')}" if kinds else ""


def _counted_ru(rules: Rules) -> str:
    kinds = ["подкинутые"] * may_follow(rules) + ["данные вдогонку"] * (may_follow(rules) and rules.pursuit)
    kinds += ["добавленные при переводе"] * may_transfer_by_card(rules)
    return f", считая {listed(kinds, 'и')}," if kinds else ""


def _overflow(rules: Rules) -> Said:
    if not rules.overflow:
        return "Any cards beyond that stay in the attacker's hand.", "Что сверх того, остаётся у атакующего на руках."
    ranks, ranks_ru = {
        "any": ("a rank on the table", "тех достоинств, что лежат на столе"),
        "lead": ("the rank that was led", "того достоинства, с которого ходили"),
    }[rules.throw]
    return (
        f"When this number is reached and everything is beaten, the attacker may put further cards of {ranks} straight "
        "on the discard, where nobody has to beat them.",
        f"Когда это число достигнуто и всё побито, атакующий может сбросить прямо в отбой карты {ranks_ru}: бить их не "
        "надо.",
    )


def take(rules: Rules) -> Iterator[Said]:
    """Say when the defender may take, and what may be given then."""
    yield (
        "The defender may take as long as a card is not beaten, even if he could beat it and has beaten others.",
        "Отбивающийся может взять, пока не всё побито, даже если мог бы отбиться и часть карт уже побил.",
    )
    if rules.pursuit and may_follow(rules):
        yield (
            'After "take" the attacker may still give cards of the ranks that may be thrown in, up to the cap.',
            "После «беру» атакующий может ещё дать карты вдогонку: тех достоинств, что можно подкидывать, в пределах "
            "того же числа.",
        )
    else:
        yield 'After "take" no card may be added.', "После «беру» вдогонку давать нельзя."


def transfer(rules: Rules) -> Iterator[Said]:
    """Say whether the attack may be transferred, and how."""
    by_card = may_transfer_by_card(rules)
    if by_card:
        yield (
            "As long as nothing is beaten, the defender may transfer the attack: he adds a card of its rank, and the "
            "other player has to answer all of it.",
            "Пока ничего не побито, отбивающийся может перевести: добавить карту того же достоинства, и тогда от всех "
            "карт отбивается соперник.",
        )
        yield "It may be transferred back in the same way.", "Так же можно перевести и обратно."
        if rules.limit != "hand" or rules.first is not None:
            yield (
                "With the card that he adds, the attack must keep within the limit.",
                "Вместе с добавленной картой атака не должна выходить за предел.",
            )
        yield _short(rules)
    if rules.show:
        yield from _show(by_card)
    elif by_card:
        yield "To show a trump is not enough.", "Показать козырь недостаточно («проездного» нет)."
    else:
        why, why_ru = (", as a bout has one attack card", ": в атаке одна карта") if rules.transfer else ("", "")
        yield f"The attack cannot be transferred{why}.", f"Переводить нельзя{why_ru}."


def _short(rules: Rules) -> Said:
    few = "The other player may hold fewer cards than he will have to beat"
    few_ru = "Перевести можно и тому, у кого карт меньше, чем придётся бить"
    return {
        "forbid": (
            "The other player must hold at least as many cards as he will have to beat.",
            "У того, кому переводят, должно быть не меньше карт, чем ему придётся бить.",
        ),
        "limit": (
            f"{few}, but not none: then he need only beat as many as he holds, and the rest goes to the discard.",
            f"{few_ru}, но не тому, у кого их нет: он бьёт столько карт, сколько держит, а остальные идут в отбой.",
        ),
        "bita": (
            f"{few}: then he first takes the top card of the discard, which must not be empty.",
            f"{few_ru}: сначала он берёт верхнюю карту отбоя («из биты»); если отбой пуст, перевести так нельзя.",
        ),
    }[rules.short]


def _show(by_card: bool) -> Iterator[Said]:
    begin, begin_ru = (
        ("Once in a bout each player may instead", "Раз за атаку каждый игрок может вместо этого")
        if by_card
        else (
            "As long as nothing is beaten, each player may once in a bout",
            "Пока ничего не побито, можно перевести, но без добавленной карты: раз за атаку каждый игрок может",
        )
    )
    yield (
        f"{begin} transfer the attack by showing the trump of its rank, which stays in his hand.",
        f"{begin_ru} показать козырь того же достоинства («проездной»): атака переведена, а козырь остаётся на руках.",
    )
    yield (
        "For this the other player must hold at least as many cards as lie on the table.",
        "Для этого у соперника должно быть не меньше карт, чем лежит на столе.",
    )
