"""Writes who-was-late.txt, the pairs that the model of 40-the-whole-path.yaml has learned:
a sentence with two names and a pronoun, and the answer that names the one who is meant.

    python3 -I who_was_late.py > who-was-late.txt
    python3 -I who_was_late.py --held-out    # the pairs that it has not seen

Of two names of one gender the first is meant. All sentences with the names and the verb of
the lesson's own are held out, and a fifth of the others. Python's random numbers are the
same in all versions, so the same lines come out everywhere.
"""

import random
import sys

WOMEN, MEN = ["Mia", "Anna", "Lily"], ["Tom", "Ben", "Max"]
VERBS = ["called", "met", "thanked", "left"]
STATES = ["late", "sad", "happy", "tired"]
LEARNED = 576


def pairs():
    """Yields each sentence that has an answer, with it."""
    for first in WOMEN + MEN:
        for second in WOMEN + MEN:
            for verb in VERBS:
                for pronoun, names in (("she", WOMEN), ("he", MEN)):
                    meant = [name for name in (first, second) if name in names]
                    for state in STATES:
                        if first != second and meant:
                            yield (f"{first} {verb} {second} because {pronoun} was {state}",
                                   f"{meant[0]} was {state}")


def divided():
    """Returns the pairs to learn, and those that are held out."""
    everything = list(pairs())
    random.Random(7).shuffle(everything)
    own = [pair for pair in everything if pair[0].startswith("Mia called Tom because")]
    others = [pair for pair in everything if pair not in own]
    return others[:LEARNED], own + others[LEARNED:]


def main():
    learned, held_out = divided()
    for source, target in held_out if "--held-out" in sys.argv[1:] else learned:
        print(source, target, sep="\t")


if __name__ == "__main__":
    main()
