from typing import final

from durak_solver._core.endings import Endings

@final
class ForcedEnds(Endings): ...

def survey(
    endings: Endings, total: int, leaders: int, ranks: int, count_leads: bool = False
) -> tuple[tuple[int, int, int], tuple[int, int, int], int, int]: ...
def winning_leads(endings: Endings, leader: int, other: int) -> int: ...
