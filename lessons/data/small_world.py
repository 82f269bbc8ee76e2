"""Writes small-world.txt, the text that the model of 38-type-anything.yaml has learned.

A grammar of mini stories about a few people, animals and things, in simple English and
simple Chinese. What a story says first holds to its end: who has the ball, its colour,
where it is. Some lines are single sentences, and some begin small or in the middle, as
somebody would type them. The same lines come out everywhere:

    python3 -I small_world.py > small-world.txt
"""

import sys

ENGLISH_BYTES, CHINESE_BYTES = 52_000, 13_000


class Dice:
    """A generator of its own (Knuth's MMIX numbers), so that no library decides."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % count

    def pick(self, items):
        return items[self.below(len(items))]

    def two(self, items):
        first = self.below(len(items))
        return items[first], items[(first + 1 + self.below(len(items) - 1)) % len(items)]


# ---- English ----

GIRLS, BOYS = ["Anna", "Lily", "Mia"], ["Tom", "Ben", "Max"]
PEOPLE = GIRLS + BOYS
ANIMALS = ["cat", "dog", "bird", "rabbit", "horse", "duck"]
COLOURS = ["red", "blue", "green", "yellow", "white", "black"]
TOYS = ["ball", "kite", "hat", "boat", "box", "book"]
FOOD = ["apple", "cake", "soup", "bread", "fish", "egg"]
ROOMS = ["garden", "kitchen", "house", "park", "school", "forest"]
SIZES = ["big", "small", "old", "new"]
HOMES = {"cat": "house", "dog": "garden", "bird": "tree", "rabbit": "forest",
         "horse": "field", "duck": "lake"}
LIKES = {"cat": "milk", "dog": "meat", "bird": "seeds", "rabbit": "carrots",
         "horse": "grass", "duck": "bread"}
DOES = {"cat": "sleeps", "dog": "runs", "bird": "sings", "rabbit": "jumps",
        "horse": "runs", "duck": "swims"}
SAYS = {"cat": "meow", "dog": "woof", "duck": "quack"}


def a(noun):
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def she(name):
    return "She" if name in GIRLS else "He"


def her(name):
    return "her" if name in GIRLS else "his"


def herself(name):
    return "her" if name in GIRLS else "him"


def toy_found(dice):
    who, toy, colour, place = (dice.pick(PEOPLE), dice.pick(TOYS), dice.pick(COLOURS),
                               dice.pick(ROOMS))
    return [f"{who} has a {colour} {toy}.",
            dice.pick([f"One day the {toy} is gone.", f"Today the {toy} is not there."]),
            dice.pick([f"{who} looks in the {place}.", f"{who} goes to the {place}."]),
            f"The {colour} {toy} is in the {place}.",
            dice.pick([f"{who} is happy.", f"Now {who} is happy."])]


def toy_shared(dice):
    (who, friend), toy, colour = dice.two(PEOPLE), dice.pick(TOYS), dice.pick(COLOURS)
    return [f"{who} has a {colour} {toy}.",
            f"{friend} has no {toy} and is sad.",
            f"{who} gives the {colour} {toy} to {friend}.",
            f"{friend} says thank you.",
            dice.pick(["Now they play together.", f"Now {friend} is happy."])]


def animal_takes(dice):
    who, animal, toy, place = (dice.pick(PEOPLE), dice.pick(["dog", "cat", "bird"]),
                               dice.pick(TOYS), dice.pick(ROOMS))
    return [f"{who} plays with a {toy} in the {place}.",
            f"{a(animal).capitalize()} comes and takes the {toy}.",
            f"{who} runs after the {animal}.",
            f"The {animal} gives the {toy} back.",
            dice.pick([f"{who} laughs.", "Now they play together."])]


def animal_home(dice):
    animal, size, colour = dice.pick(ANIMALS), dice.pick(["big", "small"]), dice.pick(COLOURS)
    home = HOMES[animal]
    return [f"The {size} {colour} {animal} lives in the {home}.",
            f"The {animal} likes {LIKES[animal]}.",
            f"Every day it {DOES[animal]} in the {home}.",
            f"At night the {animal} sleeps."]


def animal_hungry(dice):
    who, animal = dice.pick(PEOPLE), dice.pick(ANIMALS)
    return [f"The {animal} is hungry.",
            f"{who} has some {LIKES[animal]}.",
            f"{she(who)} gives the {LIKES[animal]} to the {animal}.",
            f"The {animal} eats and is happy."]


def meal(dice):
    who, food = dice.pick(PEOPLE), dice.pick(FOOD)
    friend = dice.pick(["mother", "father"])
    some = "some soup" if food == "soup" else ("some bread" if food == "bread" else a(food))
    return [f"{who} is hungry.",
            f"{her(who).capitalize()} {friend} makes {some} in the kitchen." if food != "apple"
            else f"{her(who).capitalize()} {friend} has an apple in the kitchen.",
            f"{who} eats the {food}.",
            f"The {food} is good."]


def weather(dice):
    who, animal = dice.pick(PEOPLE), dice.pick(["cat", "dog"])
    if dice.below(2):
        return ["It rains today.", f"{who} can not play in the garden.",
                f"{she(who)} reads a book in the house.", f"The {animal} sleeps by the fire."]
    return ["The sun is warm today.", f"{who} plays in the garden.",
            f"The {animal} runs after {herself(who)}.", "They are happy."]


def trip(dice):
    (who, friend), place = dice.two(PEOPLE), dice.pick(["park", "forest", "lake", "field"])
    animal = {"park": "dog", "forest": "rabbit", "lake": "duck", "field": "horse"}[place]
    return [f"{who} and {friend} go to the {place}.",
            f"They see {a(dice.pick(['big', 'small']))} {animal}.",
            f"The {animal} {DOES[animal]} in the {place}.",
            dice.pick([f"{who} says: look at the {animal}!", f"{friend} laughs."]),
            "In the evening they go home."]


def school(dice):
    who, friend = dice.two(PEOPLE)
    return [f"{who} goes to school.",
            dice.pick([f"{friend} is {her(who)} friend.", f"{friend} sits by {herself(who)}."]),
            "They read a book together.",
            "After school they play in the park."]


def question(dice):
    kind = dice.below(4)
    who, toy, colour, animal, place = (dice.pick(PEOPLE), dice.pick(TOYS),
                                       dice.pick(COLOURS), dice.pick(ANIMALS),
                                       dice.pick(ROOMS))
    if kind == 0:
        return [f"Where is the {toy}?", f"The {toy} is in the {place}."]
    if kind == 1:
        return [f"Where does the {animal} live?", f"The {animal} lives in the {HOMES[animal]}."]
    if kind == 2:
        return [f"What does the {animal} like?", f"The {animal} likes {LIKES[animal]}."]
    return [f"{who} has a {colour} {toy}.", f"What colour is the {toy}?",
            f"The {toy} is {colour}."]


def night(dice):
    who, animal = dice.pick(PEOPLE), dice.pick(["cat", "dog"])
    return ["It is night.", f"{who} is tired and goes to bed.",
            f"The {animal} sleeps by the bed.", dice.pick(["Good night!", f"Good night, {who}!"])]


def lost(dice):
    who, animal, colour = dice.pick(PEOPLE), dice.pick(["cat", "dog", "rabbit"]), dice.pick(COLOURS)
    place = dice.pick(["garden", "park", "forest"])
    return [f"{who} has a small {colour} {animal}.",
            f"One day the {animal} runs away.",
            f"{who} is sad and looks in the {place}.",
            f"There is the {animal}!",
            f"{who} takes the {animal} home."]


def sentence(dice):
    who, toy, colour, animal, place, size = (
        dice.pick(PEOPLE), dice.pick(TOYS), dice.pick(COLOURS), dice.pick(ANIMALS),
        dice.pick(ROOMS), dice.pick(SIZES))
    return [dice.pick([
        f"The {animal} {DOES[animal]} in the {HOMES[animal]}.",
        f"{who} likes the {colour} {toy}.",
        f"The {size} {toy} is {colour}.",
        f"{who} is in the {place}.",
        f"I like {LIKES[animal]}, says the {animal}.",
        f"I have a {colour} {toy}, says {who}.",
        f"My {toy} is {colour}, says {who}.",
        f"You can see a {animal} in the {HOMES[animal]}.",
        f"The {dice.pick(list(SAYS))} can not read a book.",
        f"{who} and the {animal} are friends.",
        f"There is a {size} {toy} in the {place}.",
    ])]


STORIES = [toy_found, toy_shared, animal_takes, animal_home, animal_hungry, meal, weather,
           trip, school, question, night, lost]


def english(dice):
    roll = dice.below(10)
    sentences = (sentence if roll < 2 else dice.pick(STORIES))(dice)
    text = " ".join(sentences)
    if roll == 3:  # as somebody types
        text = text[0].lower() + text[1:] if text.split()[0] not in PEOPLE else text
    if roll == 4:  # from the middle
        words = text.split()
        text = " ".join(words[1 + dice.below(4):]) if len(words) > 8 else text
    return text


# ---- Chinese ----

人 = ["小明", "小红", "小李", "小美"]
女 = ["小红", "小美"]
动物 = ["猫", "狗", "鸟", "兔子", "马", "鸭子"]
颜色 = ["红", "蓝", "绿", "黄", "白", "黑"]
玩具 = ["球", "风筝", "帽子", "书"]
量 = {"球": "个", "风筝": "只", "帽子": "顶", "书": "本"}
家 = {"猫": "家里", "狗": "院子里", "鸟": "树上", "兔子": "森林里", "马": "草地上", "鸭子": "湖里"}
爱吃 = {"猫": "鱼", "狗": "肉", "鸟": "米", "兔子": "草", "马": "草", "鸭子": "米"}
会 = {"猫": "睡觉", "狗": "跑", "鸟": "唱歌", "兔子": "跳", "马": "跑", "鸭子": "游泳"}
地方 = ["公园里", "家里", "学校里", "院子里", "森林里"]
量词 = {"马": "匹"}


def 他(who):
    return "她" if who in 女 else "他"


def chinese(dice):
    who, friend = dice.two(人)
    animal, colour, toy, place = dice.pick(动物), dice.pick(颜色), dice.pick(玩具), dice.pick(地方)
    kind = dice.below(9)
    one = 量词.get(animal, "只")
    if kind == 0:
        return f"{who}有一{量[toy]}{colour}色的{toy}。有一天{toy}不见了。{他(who)}去{place}找。{toy}在{place}。{who}很高兴。"
    if kind == 1:
        return f"{who}有一{量[toy]}{colour}色的{toy}。{friend}没有{toy}。{who}把{toy}给{friend}。{friend}说谢谢。"
    if kind == 2:
        return f"{animal}住在{家[animal]}。{animal}爱吃{爱吃[animal]}。{animal}天天在{家[animal]}{会[animal]}。"
    if kind == 3:
        return f"{animal}饿了。{who}给{animal}吃{爱吃[animal]}。{animal}很高兴。"
    if kind == 4:
        return f"{who}和{friend}去公园。他们看见一{one}{colour}色的{animal}。{who}说：你看！"
    if kind == 5:
        return f"今天下雨。{who}在家里看书。{dice.pick(['猫', '狗'])}在家里睡觉。"
    if kind == 6:
        return f"今天天气很好。{who}和{friend}在{place}玩。他们很高兴。"
    if kind == 7:
        return dice.pick([f"{animal}在哪里？{animal}在{家[animal]}。", f"{who}喜欢{animal}。",
                          f"{animal}爱吃什么？{animal}爱吃{爱吃[animal]}。",
                          f"我有一{量[toy]}{colour}色的{toy}。", f"{who}在{place}。"])
    return f"天黑了。{who}要睡觉了。{dice.pick(['猫', '狗'])}也要睡觉了。晚安！"


# ---- both, well mixed ----


def lines(make, size, dice):
    made, seen = [], set()
    while size > 0:
        line = make(dice)
        if line in seen:
            continue
        seen.add(line)
        made.append(line)
        size -= len(line.encode()) + 1
    return made


def main():
    dice = Dice(30)
    mixed = lines(english, ENGLISH_BYTES, dice) + lines(chinese, CHINESE_BYTES, dice)
    for i in range(len(mixed) - 1, 0, -1):
        j = dice.below(i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    sys.stdout.buffer.write(("\n".join(mixed) + "\n").encode())


main()
