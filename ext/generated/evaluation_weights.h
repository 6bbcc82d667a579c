/* The weights of heuristics/evaluation.pxd. Generated: do not edit.
 *
 * Command: python -m tools.fit.evaluation
 * Solved set: endings.txt.gz, seed 20260301, uncompressed SHA-256 a126657e34b1a14b06a7b40ae68fba59228b725b774afff5c30fb347c628b034
 */
#define TRAITS 13
#define LOGIT_UNIT 64
#define EVALUATION_CONSTANT 99
static const int leader_weights[TRAITS] = {
    33,  /* short_of_six */
    27,  /* high_trumps */
    -14,  /* low_trumps */
    13,  /* trump_only */
    -26,  /* idle */
    -67,  /* risky */
    162,  /* sheds */
    67,  /* risky_unanswered */
    5,  /* risky_times_cards */
    -14,  /* risky_times_trumps */
    5,  /* trumps_times_cards */
    18,  /* trumps_times_faced */
    15,  /* mates_times_faced */
};
static const int other_weights[TRAITS] = {
    -44,  /* short_of_six */
    -19,  /* high_trumps */
    20,  /* low_trumps */
    -17,  /* trump_only */
    34,  /* idle */
    42,  /* risky */
    -29,  /* sheds */
    -60,  /* risky_unanswered */
    -3,  /* risky_times_cards */
    17,  /* risky_times_trumps */
    -5,  /* trumps_times_cards */
    -20,  /* trumps_times_faced */
    -13,  /* mates_times_faced */
};
