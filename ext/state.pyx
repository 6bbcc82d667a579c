"""Python's view of the core: the rules in force and the states of a game, both immutable."""

from array import array

from game cimport moves
from game.bits cimport BLACK_JOKER, LANE_BITS, RED_JOKER, ctz, higher_in_suit, popcount, ranks_of, u64
from game.pile cimport free_piles, laid_on, new_piles, pile_under, top_card
from game.records cimport record_attack
from game.rules cimport Rules as CRules, SHORT_BITA
from game.state cimport Move, State as CState, attack_limit, turn_up
from game.transfers cimport draws_unknown

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
MOVE_TRANSFER = moves.MOVE_TRANSFER
MOVE_SHOW = moves.MOVE_SHOW

cdef enum:
    NO_LIMIT = 64  # more than any deck holds
    ACE = 12       # of lane 0

cdef u64 ALL = 0xFFFFFFFFFFFFFFFFu
cdef u64 CARDS = 0x3FFF3FFF1FFF1FFFu
cdef u64 SUIT = 0x1FFFu  # the cards of lane 0
cdef u64 JOKERS = <u64> 1 << RED_JOKER | <u64> 1 << BLACK_JOKER


cdef class RuleSet:
    """The options of the rules as the core reads them.

    Parameters
    ----------
    trump
        Is there a trump suit (lane 0)?
    deck
        Number of cards in the deck.
    throw
        Ranks that may be thrown in: 0 any on the table, 1 the led rank, 2 none.
    lead_many
        May several cards of one rank be led?
    hand
        Up to how many cards a player draws.
    limit
        Most attack cards in a bout; 0 for no limit but the defender's hand.
    first
        The limit while the discard is empty; 0 for `limit`.
    pursuit
        May the attacker give cards after "take"?
    both_attacker
        Both hands empty at the end: does the attacker win?
    exchange
        The lowest trump as a card set, if it may be swapped for the turn-up, else 0.
    transfer, show
        May the attack be transferred by a card of its rank, or by showing the trump of that rank?
    short
        Transfer to a receiver with too few cards: 0 forbidden, 1 an empty hand need not beat the rest, 2 the receiver
        first takes the top card of the discard.
    overflow
        When all is beaten at the cap, may further cards go straight to the discard?
    straps
        The cards that hang straps as a card set; none if straps are not played.
    held_back
        The cards that may be led only from a hand that holds nothing else, as a card set.
    beaten_by
        For each of the 64 bits of a card set, the cards that beat that card. If not given: the higher ones of its suit
        and, unless it is a trump itself or of the locked suit, all trumps; without jokers.
    locked
        Is lane 1 the suit that is beaten only by itself?
    suits
        The lanes of the suits s, c, d and h.
    """

    def __init__(self, *, bint trump, int deck, int hand, int throw, bint lead_many, int limit, int first, bint pursuit,
                 bint both_attacker, u64 exchange=0, bint transfer=False, bint show=False, int short=0,
                 bint overflow=False, u64 straps=0, u64 held_back=0, beaten_by=None, bint locked=False,
                 suits=(0, 1, 2, 3)):
        cdef int i
        self.c.trump = SUIT if trump else 0
        self.c.locked = SUIT << LANE_BITS if locked else 0
        # Nothing else asks how large the deck is, and equal rules compare equal.
        self.c.deck = deck if first or short == SHORT_BITA else 0
        self.c.hand = hand
        self.c.throw_table = ALL if throw == 0 else 0
        self.c.throw_led = ALL if throw == 1 else 0
        self.c.exchange = exchange
        self.c.limit = limit if limit else NO_LIMIT
        self.c.first_limit = first if first else self.c.limit
        self.c.lead_many = lead_many
        self.c.pursuit = pursuit
        self.c.both_empty = 1 if both_attacker else 0
        self.c.transfer = transfer
        self.c.show = show
        self.c.can_cycle = transfer or show
        self.c.short_hand = short
        self.c.overflow = overflow
        self.c.straps = straps
        self.c.held_back = held_back
        self.c.records = transfer or show or straps or short == SHORT_BITA
        self.c.classic = not (self.c.can_cycle or overflow or beaten_by is not None)
        self.c.odd_draws = self.c.can_cycle or overflow
        self.c.strap_level = 0
        self.c.single_leads = pursuit and throw != 2 and not self.c.can_cycle
        self.c.shed_groups = lead_many or self.c.single_leads
        self.c.fixed_lanes = 0 if not trump else 2 if locked else 1
        self.c.named = JOKERS | held_back
        self.c.named_pair = 0
        self.c.piles = NULL
        for i in range(4):
            self.c.suits[i] = suits[i]
        for i in range(64):
            self.c.beaten_by[i] = usual_beaters(<u64> 1 << i, &self.c) if beaten_by is None else beaten_by[i]
        if self.c.beaten_by[ACE] & self.c.trump:
            self.c.named_pair = (<u64> 1 << ACE) | (self.c.beaten_by[ACE] & self.c.trump)


cdef u64 usual_beaters(u64 card, const CRules* r):
    """The cards that beat a card where none counts by its name."""
    return higher_in_suit(card) | (0 if card & (r.trump | r.locked) else r.trump)


cdef class Discard:
    """The piles of discards that the states of one game come to."""

    def __cinit__(self):
        self.c = new_piles()
        if self.c == NULL:
            raise MemoryError("no memory for the discard")

    def __dealloc__(self):
        free_piles(self.c)


cdef class State:
    """A state of the open game: both hands and the order of the stock are known. Immutable and hashable.

    Card sets are integers of four 16-bit lanes: bit ``16 * lane + rank``, rank 0 for the two up to 12 for the ace.
    Lane 0 is the trump suit; without trumps it is a plain suit like the others. The jokers have rank 13, the red one in
    lane 2 and the black one in lane 3.

    Parameters
    ----------
    attacker
        Seat of the attacker, 0 or 1.
    hands
        Card sets of seats 0 and 1.
    attacks, defences, unbeaten
        Card sets on the table: the attack cards, the cards that beat them, the attack cards not yet beaten.
    led
        The first attack card as a set; 0 on an empty table.
    taking
        Has the defender said "take"?
    stock
        The cards to be drawn, the next one first, each as a card set.
    cap
        Most attack cards in this bout; 0 for what follows from the rest.
    shown
        Who has transferred by showing in this bout: 1 seat 0, 2 seat 1, 3 both.
    group
        The attacker's last group of cards as a card set, where straps are played.
    pile
        The known discards, the last one on top, with the cards of the table on them, pair by pair; each as a card set.
        Only where a transfer may take cards from the discard.

    Raises
    ------
    ValueError
        If a card is in two places, or a bit stands for no card.
    """

    def __init__(self, RuleSet rules, *, int attacker, hands, u64 attacks=0, u64 defences=0, u64 unbeaten=0, u64 led=0,
                 bint taking=False, stock=(), int cap=0, int shown=0, u64 group=0, pile=()):
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
        self.c.led = <unsigned short> ranks_of(led)
        self.c.count = <unsigned char> popcount(attacks)
        self.c.attacker = <unsigned char> attacker
        limit = attack_limit(&self.c, &rules.c)
        held = popcount(self.c.defender_hand) + popcount(defences)
        self.c.cap = <unsigned char> (cap if cap else limit if limit < held else held)
        if not attacks:
            moves.start_bout(&self.c, &rules.c)
        else:
            self.c.phase = moves.GIVE if taking else moves.DEFEND if unbeaten else moves.THROW
        self.c.shown = <unsigned char> shown
        if group:
            record_attack(&self.c, &rules.c, group, False)
        if rules.c.short_hand == SHORT_BITA:
            self.discard = Discard()
            for card in pile:
                self.c.pile = laid_on(self.discard.c, self.c.pile, ctz(card))
            keep_piles(self.discard)

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
        """The led rank as a set of ranks: bit 0 for the two up to 13 for the jokers; 0 on an empty table."""
        return self.c.led

    @property
    def stock(self):
        """The cards to be drawn, the next one first, each as a card set."""
        cdef int i
        if not self.c.stock_left:
            return ()
        return (*[self.c.stock[i] for i in range(self.c.stock_left - 1)], turn_up(&self.c, &self.rules.c))

    @property
    def phase(self):
        """One of LEAD, DEFEND, THROW, GIVE and OVER."""
        return self.c.phase

    @property
    def cap(self):
        """Most attack cards in this bout, fixed when it began."""
        return self.c.cap

    @property
    def shown(self):
        """Who has transferred by showing in this bout: 1 seat 0, 2 seat 1, 3 both."""
        return self.c.shown

    @property
    def pile(self):
        """The known part of the discard with the table on it, the top last; kept only where its order matters."""
        cdef unsigned int pile = self.c.pile
        cards = []
        while pile:
            cards.append(<u64> 1 << top_card(self.discard.c, pile))
            pile = pile_under(self.discard.c, pile)
        return tuple(cards[::-1])

    @property
    def straps(self):
        """Straps that a finished game hangs; 0 while it goes on."""
        return moves.final_straps(&self.c, &self.rules.c) if self.c.phase == moves.OVER else 0

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
            it beats; MOVE_THROW_IN, MOVE_GIVE, MOVE_TRANSFER and MOVE_SHOW with one card; MOVE_TAKE, MOVE_DONE and
            MOVE_EXCHANGE with none.
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
        LookupError
            If it takes a card off the discard that is not known.
        """
        cdef CState child = self.c
        cdef CRules rules = self.rules.c
        cdef Move found[moves.MAX_MOVES]
        cdef int i
        if self.discard is not None:
            rules.piles = self.discard.c
        for i in range(moves.list_moves(&self.c, &rules, found)):
            if found[i].kind == kind and found[i].cards == cards and found[i].target == target:
                if draws_unknown(&self.c, &rules, &found[i]):
                    raise LookupError("the top card of the discard is not known")
                moves.play(&child, &rules, &found[i])
                keep_piles(self.discard)
                return wrap(self, child)
        raise ValueError("not a legal move here")

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.rules is (<State> other).rules and identity(self) == identity(other)

    def __hash__(self):
        return hash(identity(self))


cdef tuple identity(State state):
    """Equal for two states from which the game goes on alike: of the led rank nothing may matter."""
    cdef CState c = state.c
    return (c.attacker_hand, c.defender_hand, c.attacks, c.defences, c.unbeaten, c.led & state.rules.c.throw_led,
            c.cap, c.phase, c.attacker, c.shown, c.group, state.stock, state.pile)


cdef void keep_piles(Discard discard) except *:
    """Note that a new state may stand for any pile there is."""
    if discard is None:
        return
    if discard.c.full:
        raise MemoryError("no memory for the discard")
    discard.c.kept = discard.c.used


cdef State wrap(State parent, CState c):
    cdef State state = State.__new__(State)
    state.rules = parent.rules
    state.cards = parent.cards
    state.discard = parent.discard
    state.c = c
    return state
