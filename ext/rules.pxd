"""The options of the rules, as data: masks and numbers that the move generator reads without asking for names."""

from bits cimport u64

cdef struct Rules:
    u64 trump          # the cards of the trump suit (lane 0), or none
    u64 throw_table    # all ones if the rank of any card on the table may be thrown in, else 0
    u64 throw_led      # all ones if the led rank may be thrown in, else 0
    u64 exchange       # the lowest trump, if it may be swapped for the turn-up, else none
    int deck           # cards in the deck
    int hand           # up to how many cards a player draws
    int limit          # most attack cards in a bout (64: no bound but the defender's hand)
    int first_limit    # the same while the discard is empty
    int both_empty     # value for the attacker when both hands are empty at the end: 0 draw, 1 win
    bint lead_many     # several cards of one rank may be led
    bint pursuit       # after "take" the attacker may give cards
    bint single_leads  # a search may skip leads of several cards (proof in search.pyx)
    bint shed_groups   # one bout can shed every card of a rank (proof in search.pyx)
