"""Depth-first proof-number search for questions that alpha-beta does not answer soon.

Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002; thresholds a little above the second
best child as in Pawlewicz and Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007. A question is whether a
seat, the prover, gets at least some value. A state's proof number says how hard a yes seems to be, its disproof number
a no; both begin as a guess (network.pxd). They only choose where to look next: answers come from finished games, from
the endings tables, from alpha-beta within a small budget at bout starts, and from the answers for all children (or for
one) of a state. So no answer depends on a guess.

The same child may be reached in several ways, so the sum of the children's numbers counts much twice: the largest of
them and a sixth of the others count.

The file is long because its functions call each other in a circle.
"""

from libc.math cimport exp2
from libc.stdlib cimport calloc, free

from game cimport moves
from game.bits cimport ctz, lowest, popcount, u64
from game.state cimport State
from heuristics.network cimport LOGIT, LOSS_LENGTH, OUTPUTS, UNIT, WIN_LENGTH, foresee
from keys.trace cimport packed
from search.alphabeta cimport search
from search.context cimport Bout, Search, begin_again
from search.known cimport identify, recall, store, variant_of
from search.limits cimport OUT_OF_NODES, checkpoint, count_node, resume
from search.proof_table cimport (
    Proof, ProofTable, proofs_allocate, proofs_ask_for_huge_pages, proofs_find, proofs_free, proofs_prefetch,
    proofs_store, u32)
from search.pruning cimport beats_and_closes, card_to_beat, next_gift, next_lead
from search.table cimport table_ask_for_huge_pages, table_prefetch

cdef enum:
    NEVER = 1000000000   # number of what is disproved (or proved): infinite
    MOST = 67108864      # a guess is no more: 1 << 26
    FIRST_BUDGET = 640   # nodes of alpha-beta for a question, before anything else
    # The budget of a bout start inside the tree: what the network foresees for a proof of the likelier answer, and a
    # margin. With one budget for all, four fifths of the nodes of a hard search were wasted. Binary logarithms, in
    # units of 1 / UNIT.
    LEAF_MARGIN = 64
    LEAF_LEAST = 384     # the budget is no less
    LEAF_TOO_MUCH = 600  # no budget at all if more is foreseen
    LONG_SEARCH = 20     # cards
    CHILDREN = 1 << 16   # room for those of all states on the way from the root
    # A guess of a number is 2 to the power of this, in units of 1 / UNIT, and 5 / 8 of the predicted length.
    BASE = 64
    HALF_ANSWERED = 256  # the logarithm of the odds where another question is answered, so that only a draw is against
    THROW_IN_GUESS = 20  # when being done loses: throwing in may still win

cdef enum Answer:
    NO
    YES
    UNKNOWN

cdef struct Child:
    State state
    Bout bout        # if it is a bout start
    u64 words[4]     # its name; void if it is answered at first sight
    u32 pn
    u32 dn
    bint answered    # at first sight

cdef struct Prover:
    Search* s
    ProofTable table
    Child* children  # a stack
    int top
    bint full        # there was no room on it
    int seat         # whose success is asked for
    int target       # the least value that is a success
    u32 powers[UNIT]  # of two, 64 times: for the fractions of an exponent


# --- Memory -----------------------------------------------------------------------------------------------------------

cdef inline bint prover_allocate(Prover* v, Search* s, u64 buckets) noexcept nogil:
    """Make room for children and a table, if it is to have buckets; False if there is not enough memory."""
    cdef int i
    v.s = s
    v.full = False
    v.top = 0
    v.children = NULL
    for i in range(UNIT):
        v.powers[i] = <u32> (64 * exp2(i / <double> UNIT) + 0.5)
    if buckets:
        v.children = <Child*> calloc(CHILDREN, sizeof(Child))
    return proofs_allocate(&v.table, buckets) and (v.children != NULL or not buckets)

cdef inline void prover_free(Prover* v) noexcept nogil:
    proofs_free(&v.table)
    free(v.children)
    v.children = NULL

cdef inline void name_state(const Prover* v, const State* p, const Bout* b, u64* words) noexcept nogil:
    """Write a state and the question down: a bout start by its key, any other as it is."""
    cdef u64 question = (1 if p.attacker == v.seat else 0) | (<u64> (v.target + 1)) << 1
    if p.phase == moves.LEAD:
        words[0] = b.key.low
        words[1] = b.key.high | variant_of(v.s, b) << 40
        words[2] = question | <u64> 1 << 63
        words[3] = 0
        return
    words[0] = packed(p.attacker_hand) | <u64> p.count << 52 | <u64> p.cap << 58
    words[1] = packed(p.defender_hand) | <u64> p.phase << 52 | <u64> ctz(p.led) << 56
    words[2] = packed(p.attacks | p.defences) | question << 52
    words[3] = packed(p.unbeaten) | v.s.variant << 52

# --- Numbers ----------------------------------------------------------------------------------------------------------

cdef inline bint prover_moves(const Prover* v, const State* p) noexcept nogil:
    return (p.attacker if p.phase != moves.DEFEND else 1 - p.attacker) == v.seat

cdef inline bint is_answered(const Prover* v, int lower, int upper, bint leads, Child* c) noexcept nogil:
    """Do bounds of a child's value for its attacker, the prover or not, answer the question?"""
    if not leads:
        lower, upper = -upper, -lower
    if lower >= v.target:
        c.pn = 0
        c.dn = NEVER
    elif upper < v.target:
        c.pn = NEVER
        c.dn = 0
    else:
        return False
    return True

cdef inline u32 power(const Prover* v, int exponent) noexcept nogil:
    """Two to the power of an exponent in units of 1 / UNIT, within what a guess may be."""
    if exponent < 0:
        return 1
    if exponent >= 26 * UNIT:
        return MOST
    return <u32> ((<u64> v.powers[exponent % UNIT] << (exponent // UNIT)) >> 6)

cdef inline void guess(const Prover* v, const Bout* b, bint leads, u32* pn, u32* dn) noexcept nogil:
    """Numbers of a bout start nobody has looked at: the length of a proof, and more where it is not likely to exist.

    Draws are rare: what is known not to be lost is most likely won, and the other way round.
    """
    cdef int outputs[OUTPUTS]
    cdef int odds, win, loss
    foresee(b.leader, b.other, v.s.rules.trump, outputs)
    odds = outputs[LOGIT] * 461 >> 8  # 5 / 4 of the binary logarithm
    if b.lower == 0:
        odds = HALF_ANSWERED
    elif b.upper == 0:
        odds = -HALF_ANSWERED
    win = BASE + (5 * outputs[WIN_LENGTH] >> 3) + (-odds if odds < 0 else 0)
    loss = BASE + (5 * outputs[LOSS_LENGTH] >> 3) + (odds if odds > 0 else 0)
    pn[0] = power(v, win if leads else loss)
    dn[0] = power(v, loss if leads else win)

cdef inline void combine(const Prover* v, int base, bint prover, u32* pn, u32* dn) noexcept nogil:
    """The numbers of a state from those of its children, from `base` to the top of the stack."""
    cdef u32 least = NEVER, largest = 0, easy, hard
    cdef u64 total = 0
    cdef int i
    for i in range(base, v.top):
        easy = v.children[i].pn if prover else v.children[i].dn
        hard = v.children[i].dn if prover else v.children[i].pn
        if easy < least:
            least = easy
        if hard > largest:
            largest = hard
        total += hard
    if largest < NEVER:
        total = largest + (total - largest) // 6
        largest = <u32> (total if total < NEVER else NEVER - 1)
    pn[0] = least if prover else largest
    dn[0] = largest if prover else least


# --- Children ---------------------------------------------------------------------------------------------------------

cdef inline Child* new_child(Prover* v, const State* p) noexcept nogil:
    """Put a copy of a state on the stack."""
    if v.top == CHILDREN:
        v.full = True
        v.top -= 1
    v.top += 1
    v.children[v.top - 1].state = p[0]
    return &v.children[v.top - 1]

cdef inline void list_children(Prover* v, const State* p) noexcept nogil:
    """Put what a state can lead to on the stack, save for what pruning.pxd leaves out."""
    cdef Child* c
    cdef u64 todo, lead, gift = 0
    if p.phase == moves.LEAD:
        lead = next_lead(p, &v.s.rules, 0, 1)
        while lead and not v.full:
            c = new_child(v, p)
            moves.play_lead(&c.state, &v.s.rules, lead)
            lead = next_lead(p, &v.s.rules, lead, 1)
    elif p.phase == moves.DEFEND:
        todo = moves.beaters(p, &v.s.rules, card_to_beat(p))
        while todo:
            c = new_child(v, p)
            beats_and_closes(p, &v.s.rules, lowest(todo), &c.state)
            todo &= todo - 1
        c = new_child(v, p)
        moves.play_take(&c.state, &v.s.rules)
        if c.state.phase == moves.GIVE and not moves.throwable(&c.state, &v.s.rules):
            moves.play_done(&c.state, &v.s.rules)
    elif p.phase == moves.THROW:
        todo = moves.throwable(p, &v.s.rules)
        while todo:
            c = new_child(v, p)
            moves.play_throw(&c.state, &v.s.rules, lowest(todo))
            todo &= todo - 1
        c = new_child(v, p)
        moves.play_done(&c.state, &v.s.rules)
    else:
        todo = moves.throwable(p, &v.s.rules)
        while not v.full:
            gift = next_gift(p, todo, gift)
            c = new_child(v, p)
            moves.give_all(&c.state, &v.s.rules, gift)
            if not gift:
                break

cdef inline void meet(Prover* v, Child* c) noexcept nogil:
    """Answer a child at first sight, or name it and begin to fetch what is known of it."""
    cdef bint leads = c.state.attacker == v.seat
    cdef int value
    c.answered = False
    if c.state.phase == moves.OVER:
        value = moves.final_value(&c.state, &v.s.rules)
        c.answered = is_answered(v, value, value, leads, c)
        return
    if c.state.phase == moves.LEAD:
        if identify(v.s, &c.state, &c.bout):
            c.answered = is_answered(v, c.bout.lower, c.bout.upper, leads, c)
            return
        table_prefetch(&v.s.table, &c.bout.key, variant_of(v.s, &c.bout))
    name_state(v, &c.state, &c.bout, c.words)
    proofs_prefetch(&v.table, c.words)

cdef inline void rate_bout(Prover* v, Child* c) noexcept nogil:
    """Numbers of a bout start."""
    cdef Proof* known
    cdef bint leads = c.state.attacker == v.seat
    recall(v.s, &c.state, &c.bout)
    if is_answered(v, c.bout.lower, c.bout.upper, leads, c):
        return
    known = proofs_find(&v.table, c.words)
    if known != NULL:
        c.pn = known.pn
        c.dn = known.dn
    else:
        guess(v, &c.bout, leads, &c.pn, &c.dn)
        proofs_store(&v.table, c.words, c.pn, c.dn, 0)

cdef inline void rate_throw(Prover* v, Child* c) noexcept nogil:
    """First numbers of a child after a beat: those of being done, but throwing in may be better."""
    cdef Child* done = new_child(v, &c.state)
    moves.play_done(&done.state, &v.s.rules)
    meet(v, done)
    rate(v, done)
    v.top -= 1
    c.pn = done.pn
    c.dn = done.dn
    if c.state.attacker == v.seat and c.dn == 0:
        c.dn = 1
        c.pn = THROW_IN_GUESS
    elif c.state.attacker != v.seat and c.pn == 0:
        c.pn = 1
        c.dn = THROW_IN_GUESS

cdef inline void rate(Prover* v, Child* c) noexcept nogil:
    """Numbers of a child that was met: known, or guessed from the bout starts that it can lead to."""
    cdef Proof* known
    cdef int base = v.top
    if c.answered:
        return
    if c.state.phase == moves.LEAD:
        rate_bout(v, c)
        return
    known = proofs_find(&v.table, c.words)
    if known != NULL:
        c.pn = known.pn
        c.dn = known.dn
        return
    if c.state.phase == moves.THROW:
        rate_throw(v, c)
    else:
        list_children(v, &c.state)
        rate_all(v, base)
        combine(v, base, prover_moves(v, &c.state), &c.pn, &c.dn)
        v.top = base
    # Not if a child was left out: what seems to be an answer then is none.
    if not v.full and not v.s.stop:
        proofs_store(&v.table, c.words, c.pn, c.dn, 0)

cdef inline void rate_all(Prover* v, int base) noexcept nogil:
    """Numbers of the children from `base` to the top of the stack, all met before the first is looked up."""
    cdef int i, top = v.top
    if top - base > 1000:
        checkpoint(v.s)  # limit=hand can leave very many sets of cards to give
    for i in range(base, top):
        meet(v, &v.children[i])
    for i in range(base, top):
        if v.full or v.s.stop:
            break
        rate(v, &v.children[i])


# --- The search -------------------------------------------------------------------------------------------------------

cdef inline Answer try_alphabeta(Search* s, const State* p, int bound, u64 budget) noexcept nogil:
    """Is the value of a state for its attacker more than a bound, if a budget of nodes tells?"""
    cdef u64 limit = s.node_limit
    cdef int value, top = s.top
    if s.nodes + budget < limit:
        s.node_limit = s.nodes + budget
        s.next_check = min(s.next_check, s.node_limit)
    value = search(s, p, bound)
    s.node_limit = limit
    if s.nodes < limit and resume(s, OUT_OF_NODES):
        s.top = top
        checkpoint(s)
        return UNKNOWN
    return UNKNOWN if s.stop else (YES if value > bound else NO)

cdef inline u64 leaf_budget(const Search* s, const Bout* b) noexcept nogil:
    """The nodes of alpha-beta that a bout start is worth at first sight; 0 for none."""
    cdef int outputs[OUTPUTS]
    cdef int length
    foresee(b.leader, b.other, s.rules.trump, outputs)
    length = outputs[WIN_LENGTH] if outputs[LOGIT] > 0 else outputs[LOSS_LENGTH]
    if length > LEAF_TOO_MUCH:
        return 0
    return <u64> 1 << max(LEAF_LEAST, length + LEAF_MARGIN) // UNIT

cdef inline bint begin_bout(Prover* v, Child* c) noexcept nogil:
    """Look at a bout start for the first time; is it answered then?"""
    cdef Search* s = v.s
    cdef bint leads = c.state.attacker == v.seat
    cdef u64 work = s.nodes, budget
    recall(s, &c.state, &c.bout)
    if is_answered(v, c.bout.lower, c.bout.upper, leads, c):
        return True
    budget = leaf_budget(s, &c.bout)
    if budget:
        try_alphabeta(s, &c.state, v.target - 1 if leads else -v.target, budget)
        if s.stop:
            return False
        recall(s, &c.state, &c.bout)
        if is_answered(v, c.bout.lower, c.bout.upper, leads, c):
            return True
    proofs_store(&v.table, c.words, c.pn, c.dn, max(s.nodes - work, 1))
    return False

cdef inline void store_answer(Prover* v, Child* c, u64 work) noexcept nogil:
    """Keep the answer for a bout start in the table of alpha-beta."""
    cdef Bout* b = &c.bout
    cdef int lower = v.target if c.pn == 0 else -1, upper = 1 if c.pn == 0 else v.target - 1
    if c.state.attacker != v.seat:
        lower, upper = -upper, -lower
    recall(v.s, &c.state, b)
    b.lower = max(lower, b.lower)
    b.upper = min(upper, b.upper)
    store(v.s, b, work)

cdef inline u32 above(u32 second) noexcept nogil:
    """How far the best child is followed: a little beyond the second best."""
    cdef u64 limit = <u64> second + second // 7 + 1
    return <u32> (limit if limit < NEVER else NEVER)

cdef inline u32 share(u32 threshold, u32 all_children, u32 child) noexcept nogil:
    """What a child may reach before its parent, whose number grows with it, reaches a threshold."""
    if threshold == NEVER:
        return NEVER
    return threshold - all_children + child if threshold > all_children else child + 1

cdef inline void follow(Prover* v, int base, bint prover, u32 pn, u32 dn, u32 pn_limit, u32 dn_limit) noexcept nogil:
    """Look into the child that promises most, until another promises more or its parent reaches a threshold."""
    cdef u32 number, first = NEVER, second = NEVER
    cdef int i, best = base
    cdef Child* c
    for i in range(base, v.top):
        number = v.children[i].pn if prover else v.children[i].dn
        if number < first:
            second = first
            first = number
            best = i
        elif number < second:
            second = number
    c = &v.children[best]
    if prover:
        pn_limit = max(min(pn_limit, above(second)), c.pn + 1)
        dn_limit = max(share(dn_limit, dn, c.dn), c.dn + 1)
    else:
        dn_limit = max(min(dn_limit, above(second)), c.dn + 1)
        pn_limit = max(share(pn_limit, pn, c.pn), c.pn + 1)
    deepen(v, best, pn_limit, dn_limit)

cdef inline void deepen(Prover* v, int number, u32 pn_limit, u32 dn_limit) noexcept nogil:
    """Look into a child until one of its numbers reaches its limit; an answer is 0 and NEVER."""
    cdef Child* c = &v.children[number]
    cdef bint prover = prover_moves(v, &c.state)
    cdef u64 work = v.s.nodes
    cdef Proof* known
    cdef u32 pn, dn
    cdef int base = v.top
    if not count_node(v.s):
        return
    if c.state.phase == moves.LEAD:
        known = proofs_find(&v.table, c.words)
        if (known == NULL or not known.work) and begin_bout(v, c):
            return
        if v.s.stop:
            return
    list_children(v, &c.state)
    rate_all(v, base)
    while not v.full and not v.s.stop:
        combine(v, base, prover, &pn, &dn)
        if pn >= pn_limit or dn >= dn_limit or pn == 0 or dn == 0:
            c.pn = pn
            c.dn = dn
            if c.state.phase == moves.LEAD and (pn == 0 or dn == 0):
                store_answer(v, c, v.s.nodes - work)
            else:
                proofs_store(&v.table, c.words, pn, dn, v.s.nodes - work)
            break
        follow(v, base, prover, pn, dn, pn_limit, dn_limit)
    v.top = base

cdef inline Answer prove(Prover* v, const State* p, int bound) noexcept nogil:
    """Is the value of a state without a stock for its attacker more than a bound? Unknown if there is no more room."""
    cdef Child* root
    if not v.table.is_huge and popcount(p.attacker_hand | p.defender_hand) >= LONG_SEARCH:
        proofs_ask_for_huge_pages(&v.table)
        table_ask_for_huge_pages(&v.s.table)
    v.seat = p.attacker
    v.target = bound + 1
    v.top = 0
    v.full = False
    root = new_child(v, p)
    rate_all(v, 0)
    while not v.full and not v.s.stop and root.pn and root.dn:
        deepen(v, 0, NEVER, NEVER)
    v.top = 0
    if v.full or v.s.stop:
        return UNKNOWN
    return YES if root.pn == 0 else NO

cdef inline bint exceeds(Prover* v, const State* p, int bound) noexcept nogil:
    """Is the value of a state for its attacker more than a bound? Void if a limit ends the search."""
    cdef Answer answer
    if p.phase == moves.OVER or p.stock_left or not v.table.buckets or not v.s.rules.classic:
        return search(v.s, p, bound) > bound
    answer = try_alphabeta(v.s, p, bound, FIRST_BUDGET)
    if answer == UNKNOWN and not v.s.stop:
        answer = prove(v, p, bound)
        if answer == UNKNOWN and not v.s.stop:
            return search(v.s, p, bound) > bound
    return answer == YES

cdef inline Answer answer_within(Prover* v, const State* p, int bound, u64 budget) noexcept nogil:
    """The same, if a budget of nodes tells."""
    cdef Search* s = v.s
    cdef u64 limit = s.node_limit
    cdef bint more
    if s.nodes + budget < limit:
        s.node_limit = s.nodes + budget
        s.next_check = min(s.next_check, s.node_limit)
    more = exceeds(v, p, bound)
    s.node_limit = limit
    if s.nodes < limit and resume(s, OUT_OF_NODES):
        begin_again(s)
        checkpoint(s)
        return UNKNOWN
    return UNKNOWN if s.stop else (YES if more else NO)
