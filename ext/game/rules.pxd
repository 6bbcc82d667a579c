"""The options of the rules, as data: masks and numbers that the move generator reads without asking for names."""

from game.bits cimport u64
from game.pile cimport Piles

cdef enum Short:
    # What happens to a transfer whose receiver holds fewer cards than would have to be beaten.
    SHORT_FORBID       # it is not allowed
    SHORT_LIMIT        # an empty hand need not beat the rest, which goes to the discard
    SHORT_BITA         # the receiver takes the top card of the discard first

cdef struct Rules:
    u64 trump          # the cards of the trump suit (lane 0), or none
    u64 locked         # the cards of a suit that only it beats (lane 1), or none
    u64 throw_table    # all ones if the rank of any card on the table may be thrown in, else 0
    u64 throw_led      # all ones if the led rank may be thrown in, else 0
    u64 exchange       # the lowest trump, if it may be swapped for the turn-up, else none
    u64 held_back      # cards that are led only from a hand that holds nothing else (strapmode=must-take)
    u64 named          # cards that the rules know by name, if they are live: jokers, those held back
    u64 named_pair     # a pair that matters by name while both are live: trump ace and lowest trump (ace6)
    u64 straps         # cards that hang straps: those of the strap rank but the trump; none if straps are not played
    int deck           # cards in the deck
    int hand           # up to how many cards a player draws
    int limit          # most attack cards in a bout (64: no bound but the defender's hand)
    int first_limit    # the limit while the discard is empty
    int both_empty     # value for the attacker when both hands are empty at the end: 0 draw, 1 win
    int fixed_lanes    # the first lanes, whose suits may not be renamed: of the trump suit, and of a locked one
    int short_hand     # one of Short
    int strap_level    # straps a win must hang to count in a search; 0: any win counts
    int finisher       # a search asks who can force an end, if both hands empty is a win of seat 0 (1) or 1 (2); else 0
    bint lead_many     # several cards of one rank may be led
    bint pursuit       # after "take" the attacker may give cards
    bint transfer      # the attack may be transferred by a card of its rank
    bint show          # it may be transferred by showing the trump of that rank
    bint overflow      # when all is beaten at the cap, further cards may go straight to the discard
    bint can_cycle     # transfer or show: a position can come back
    bint records       # a bout has to remember more than its cards: who has shown, the last group, the order of a pile
    bint classic       # what the search knows without searching holds (proofs in alphabeta.pxd and static_win.pxd)
    bint odd_draws     # an odd number of cards may end in a draw
    bint single_leads  # a search may skip leads of several cards (proof: `next_lead` in pruning.pxd)
    bint shed_groups   # one bout can shed every card of a rank (see static_win.pxd)
    unsigned char suits[4]  # the lanes in the order s, c, d, h
    Piles* piles       # where the order of the discard is kept (short=bita), or NULL; not owned by the rules
    u64 beaten_by[64]  # for each place of a card: all cards that beat it

cdef inline bint names_matter(const Rules* r, u64 live) noexcept nogil:
    """Do the rules know one of these cards by its name, so that the trace normal form would leave out too much?"""
    if live & r.named or r.piles != NULL or (r.strap_level and live & r.straps):
        return True
    return r.named_pair != 0 and (live & r.named_pair) == r.named_pair
