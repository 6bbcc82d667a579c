"""Python's view of the core: the rules in force and the states of a game, both immutable."""

from array import array

cimport moves
from bits cimport popcount, ranks_of, u64
from moves cimport Move, State as CState

# Phases of a state.
LEAD = moves.LEAD
DEFEND = moves.DEFEND
THROW = moves.THROW
GIVE = moves.GIVE
OVER = moves.OVER

# Kinds of move.
MOVE_LEAD = moves.MOVE_LEAD
MOVE_BEAT = moves.MOVE_BEAT
MOVE_THROW_IN = moves.MOVE_THROW_IN
MOVE_GIVE = moves.MOVE_GIVE
MOVE_TAKE = moves.MOVE_TAKE
MOVE_DONE = moves.MOVE_DONE
MOVE_EXCHANGE = moves.MOVE_EXCHANGE

cdef enum:
    NO_LIMIT = 64  # more than any deck holds

cdef u64 ALL = 0xFFFFFFFFFFFFFFFFu
cdef u64 CARDS = 0x1FFF1FFF1FFF1FFFu


cdef class RuleSet:
    """The options of the rules as the core reads them.

    Parameters
    ----------
    trump : bool
        Is there a trump suit (lane 0)?
    deck : int
        Number of cards in the deck.
    throw : int
        Ranks that may be thrown in: 0 any on the table, 1 the led rank, 2 none.
    lead_many : bool
        May several cards of one rank be led?
    hand : int
        Up to how many cards a player draws.
    limit : int
        Most attack cards in a bout; 0 for no limit but the defender's hand.
    first : int
        The limit while the discard is empty; 0 for the same as ever.
    pursuit : bool
        May the attacker give cards after "take"?
    both_attacker : bool
        Both hands empty at the end: does the attacker win?
    exchange : int
        The lowest trump as a card set, if it may be swapped for the turn-up, else 0.
    """

    def __init__(self, *, bint trump, int deck, int hand, int throw, bint lead_many, int limit, int first, bint pursuit,
                 bint both_attacker, u64 exchange=0):
        self.c.trump = 0xFFFF if trump else 0
        self.c.deck = deck if first else 0  # nothing else asks for it, and equal rules compare equal
        self.c.hand = hand
        self.c.throw_table = ALL if throw == 0 else 0
        self.c.throw_led = ALL if throw == 1 else 0
        self.c.exchange = exchange
        self.c.limit = limit if limit else NO_LIMIT
        self.c.first_limit = first if first else self.c.limit
        self.c.lead_many = lead_many
        self.c.pursuit = pursuit
        self.c.both_empty = 1 if both_attacker else 0
        self.c.single_leads = pursuit and throw != 2
        self.c.shed_groups = lead_many or self.c.single_leads


cdef class State:
    """A state of the open game: both hands and the order of the stock are known. Immutable and hashable.

    Card sets are integers of four 16-bit lanes: bit ``16 * lane + rank``, rank 0 for the two up to 12 for the ace.
    Lane 0 is the trump suit; without trumps it is a plain suit like the others.

    Parameters
    ----------
    rules : RuleSet
    attacker : int
        Seat of the attacker, 0 or 1.
    hands : tuple of int
        Card sets of seats 0 and 1.
    attacks, defences, unbeaten : int
        Card sets on the table: the attack cards, the cards that beat them, the attack cards not yet beaten.
    led : int
        The first attack card as a set; 0 on an empty table.
    taking : bool
        Has the defender said "take"?
    stock : sequence of int
        The cards to be drawn, the next one first, each as a card set.

    Raises
    ------
    ValueError
        If a card is in two places, or a bit stands for no card.
    """

    def __init__(self, RuleSet rules, *, int attacker, hands, u64 attacks=0, u64 defences=0, u64 unbeaten=0, u64 led=0,
                 bint taking=False, stock=()):
        cdef u64 hand_a = hands[0], hand_b = hands[1]
        cdef int limit, held
        cdef u64 card, seen = hand_a | hand_b | attacks | defences
        if (hand_a & hand_b) | ((hand_a | hand_b) & (attacks | defences)) | (attacks & defences):
            raise ValueError("a card is in two places")
        if (hand_a | hand_b | attacks | defences) & ~CARDS or unbeaten & ~attacks or led & ~attacks:
            raise ValueError("a bit stands for no card")
        for card in stock:
            if card & seen:
                raise ValueError("a card is in two places")
            if popcount(card) != 1 or card & ~CARDS:
                raise ValueError("a bit stands for no card")
            seen |= card
        if attacker != 0 and attacker != 1:
            raise ValueError("the attacker is seat 0 or 1")
        self.rules = rules
        self.cards = array("Q", stock).tobytes()
        self.c.stock = <const u64*> <const char*> self.cards
        self.c.stock_left = <unsigned char> len(stock)
        self.c.attacker_hand = hand_b if attacker else hand_a
        self.c.defender_hand = hand_a if attacker else hand_b
        self.c.attacks = attacks
        self.c.defences = defences
        self.c.unbeaten = unbeaten
        self.c.led = led
        self.c.count = <unsigned char> popcount(attacks)
        self.c.attacker = <unsigned char> attacker
        limit = moves.attack_limit(&self.c, &rules.c)
        held = popcount(self.c.defender_hand) + popcount(defences)
        self.c.cap = <unsigned char> (limit if limit < held else held)
        if not attacks:
            moves.start_bout(&self.c, &rules.c)
        else:
            self.c.phase = moves.GIVE if taking else moves.DEFEND if unbeaten else moves.THROW

    @property
    def attacker(self):
        """Seat of the attacker: 0 or 1."""
        return self.c.attacker

    @property
    def hands(self):
        """Card sets of seats 0 and 1."""
        if self.c.attacker:
            return self.c.defender_hand, self.c.attacker_hand
        return self.c.attacker_hand, self.c.defender_hand

    @property
    def attacks(self):
        """Attack cards on the table, as a card set."""
        return self.c.attacks

    @property
    def defences(self):
        """Cards that beat them, as a card set."""
        return self.c.defences

    @property
    def unbeaten(self):
        """Attack cards not yet beaten, as a card set."""
        return self.c.unbeaten

    @property
    def led(self):
        """The first attack card as a card set; 0 on an empty table."""
        return self.c.led

    @property
    def stock(self):
        """The cards to be drawn, the next one first, each as a card set."""
        cdef int i
        if not self.c.stock_left:
            return ()
        return (*[self.c.stock[i] for i in range(self.c.stock_left - 1)], moves.turn_up(&self.c, &self.rules.c))

    @property
    def phase(self):
        """One of LEAD, DEFEND, THROW, GIVE and OVER."""
        return self.c.phase

    @property
    def cap(self):
        """Most attack cards in this bout, fixed when it began."""
        return self.c.cap

    @property
    def winner(self):
        """Seat of the winner, 2 for a draw, -1 while the game goes on."""
        cdef int value
        if self.c.phase != moves.OVER:
            return -1
        value = moves.final_value(&self.c, &self.rules.c)
        return 2 if value == 0 else self.c.attacker if value > 0 else 1 - self.c.attacker

    def moves(self):
        """All legal moves.

        Returns
        -------
        list of tuple
            ``(kind, cards, target)``: MOVE_LEAD with the cards led; MOVE_BEAT with the beating card and the attack card
            it beats; MOVE_THROW_IN and MOVE_GIVE with one card; MOVE_TAKE, MOVE_DONE and MOVE_EXCHANGE with none.
        """
        cdef Move found[moves.MAX_MOVES]
        cdef int i
        return [
            (found[i].kind, found[i].cards, found[i].target)
            for i in range(moves.list_moves(&self.c, &self.rules.c, found))
        ]

    def play(self, int kind, u64 cards, u64 target):
        """The state after a move.

        Raises
        ------
        ValueError
            If the move is not one of `moves`.
        """
        cdef CState child = self.c
        cdef Move found[moves.MAX_MOVES]
        cdef int i
        for i in range(moves.list_moves(&self.c, &self.rules.c, found)):
            if found[i].kind == kind and found[i].cards == cards and found[i].target == target:
                moves.play(&child, &self.rules.c, &found[i])
                return wrap(self.rules, self.cards, child)
        raise ValueError("not a legal move here")

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.rules is (<State> other).rules and identity(self) == identity(other)

    def __hash__(self):
        return hash(identity(self))


cdef tuple identity(State state):
    """Equal for two states from which the game goes on alike: of the first attack card only the rank may matter."""
    cdef CState c = state.c
    return (c.attacker_hand, c.defender_hand, c.attacks, c.defences, c.unbeaten,
            ranks_of(c.led & state.rules.c.throw_led), c.cap, c.phase, c.attacker, state.stock)


cdef State wrap(RuleSet rules, bytes cards, CState c):
    cdef State state = State.__new__(State)
    state.rules = rules
    state.cards = cards
    state.c = c
    return state
