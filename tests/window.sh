#!/bin/bash
# The window, driven by keys and pointer on an X server without a window manager. Prints
# TAP.
#
#   tests/window.sh PROGRAM     on $DISPLAY, or on an Xvfb of its own where there is none
set -u
program=$(realpath -e "$1") || exit 1
if [ -z "${DISPLAY:-}" ]; then
    exec xvfb-run -a -s "-screen 0 1920x1200x24" "$0" "$program"
fi
. "$(dirname "$0")/tap.sh"
languages=$(ls "$(dirname "$0")"/../assets/strings/*.yaml | wc -l)
export SDL_VIDEODRIVER=x11
mkdir -p "$HOME/Pictures"
pictures=$HOME/Pictures/Glassformer
process=
window=
size=

# An X server starts anew when its last client goes, and then refuses the next for a while.
xdotool sleep 3600 &
client=$!

finish() {
    kill "$client" $process 2>/dev/null
    clean_up
}
trap finish EXIT

# until_true COMMAND…: tries for half a minute.
until_true() {
    local i
    for i in $(seq 300); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

# shot NAME: the window's pixels in $work/NAME.ppm, its size in $size.
shot() {
    [ -n "$window" ] || return 1 # import would wait for a click
    import -window "$window" -depth 8 "ppm:$work/$1.ppm" 2>"$work/import" || return 1
    size=$(sed -n '2{s/ /x/p;q}' "$work/$1.ppm" | tr -d '\0')
}

# ticks: the processor time taken so far, in hundredths of a second.
ticks() {
    awk '{ print $14 + $15 }' "/proc/$process/stat"
}

# asleep: every thread of the program waits for something, and none for a processor.
asleep() {
    ! cat "/proc/$process"/task/*/stat 2>/dev/null | grep -q ') [RD] '
}

# still NAME: the window's pixels once the program rests and they don't change any more.
still() {
    local i taken
    shot "$1" || return 1
    for i in $(seq 100); do
        taken=$(ticks)
        sleep 0.12
        mv "$work/$1.ppm" "$work/before.ppm"
        shot "$1" || return 1
        cmp -s "$work/$1.ppm" "$work/before.ppm" && asleep && [ "$(ticks)" = "$taken" ] &&
            return 0
    done
    return 1
}

same() {
    cmp -s "$work/$1.ppm" "$work/$2.ppm"
}

differ() {
    [ -s "$work/$1.ppm" ] && [ -s "$work/$2.ppm" ] && ! same "$1" "$2"
}

# Many colours: neither black nor blank.
painted() {
    shot painted && [ "$(identify -format %k "$work/painted.ppm")" -gt 20 ]
}

find_window() {
    window=$(xdotool search --all --onlyvisible --pid "$process" --class glassformer \
        2>/dev/null | tail -n 1)
    [ -n "$window" ]
}

# start ARGS…: the program as it is without a memory, until it has painted its window; the
# pointer where nothing is. start_as_left ARGS…: with one.
# start_below ARGS…: below a pointer that stays where it is.
start() {
    start_as_left --fresh "$@"
}
start_as_left() {
    start_below "$@" && point 0.5 0.155
}
start_below() {
    [ -z "$process" ] || kill "$process" 2>/dev/null
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null &
    process=$!
    until_true find_window && until_true painted
}

# start_unasked LESSON: a lesson whose steps ask nothing.
start_unasked() {
    start "$@" && press n F7
}

# point X Y: moves the pointer to a place of the window, in shares of its size.
point() {
    shot place || return 1
    xdotool mousemove --window "$window" \
        $(echo "$size $1 $2" | awk -F'[x ]' '{ printf "%d %d", $1 * $3, $2 * $4 }')
}

press() {
    xdotool key "$@"
}

# ends_with STATUS: the program ends by itself, with that.
ended() {
    ! kill -0 "$process" 2>/dev/null
}
ends_with() {
    local status
    until_true ended || return 1
    wait "$process"
    status=$?
    process=
    [ $status -eq "$1" ] || {
        echo "exit status $status, not $1" >>"$work/err"
        return 1
    }
}

# title_of LESSON: as `list` prints it.
title_of() {
    "$program" list | awk -v id="$1" '$1 == id { sub(/^[^ ]+ +[0-9]+ +/, ""); print }'
}

# title_is LESSON: its title in the window's, with a step; or what the window is called.
title_is() {
    local title
    [ -n "$window" ] && title=$(xdotool getwindowname "$window") || return 1
    [[ "$title" = "$1" || "$title" =~ ^([0-9]+ · )?"$1 – Step "[0-9]+ ]]
}

size_is() {
    shot sized && [ "$size" = "$1" ]
}

# pictures_are COUNT: so many have been saved whole.
pictures_are() {
    [ "$(find "$pictures" -name '*.png' 2>/dev/null | wc -l)" -eq "$1" ]
}

lesson=08-one-head
drop=$(dirname "$program")/../tests/drop

# ---- a lesson ----

start_unasked $lesson
ok "the window opens and is painted"
title_is "$(title_of $lesson)"
ok "its title is the lesson's"
[[ "$(xdotool getwindowname "$window")" == "8 · "*" – Step 1 of "*" – Glassformer" ]] &&
    press Right && until_true eval '[[ "$(xdotool getwindowname "$window")" == *"Step 2 of"* ]]' &&
    press Left
ok "with its number, the step and the program"
still first
[ "$size" = 1440x900 ]
ok "it has 1440 by 900 pixels"
press Right && still second && differ first second
ok "Right goes on"
press Left && still back && same first back
ok "Left shows the very same picture again"
press Right Right Right Right Right && still scores && press --repeat 5 --delay 30 Left &&
    still back && same first back
ok "five steps there and five back"
press Right Right Right Right Right Down Right && still cell && differ cell scores &&
    press Up && still opened && same opened scores
ok "Down goes to the cells, Up comes back"

point 0.576 0.63 && still hover && differ hover scores
ok "pointing at a cell explains it"
point 0.5 0.155 && still left && same left scores
ok "leaving it restores the picture"
point 0.576 0.63 && xdotool click 1 && point 0.5 0.155 && still pinned &&
    differ pinned scores && press Escape && still left && same left scores
ok "a click pins it, Escape lets go"
point 0.576 0.63 && xdotool click 1 && point 0.5 0.155 && still pinned && press shift+Up &&
    still moved && differ moved pinned && press shift+Down && still back && same back pinned &&
    press Right && until_true eval '[[ "$(xdotool getwindowname "$window")" == *"Step 7 of"* ]]' &&
    press Left Escape && still left && same left scores
ok "arrows with Shift move it, those without go on"
point 0.2 0.945 && xdotool mousedown 1 && point 0.99 0.945 && xdotool mouseup 1 &&
    point 0.5 0.155 && still dragged && press End && still end && same dragged end
ok "dragging along the timeline goes to its end"
press Home && still home && same home first
ok "Home goes to the first step"

point 0.97 0.03 && xdotool click 1 && point 0.5 0.155 && still clicked &&
    differ clicked first && press Escape && still closed && same closed first
ok "a click on the hint for help shows it"
press End && press Right && until_true title_is "$(title_of 09-shapes)" && still next &&
    press Left && still told && differ told next && title_is "$(title_of 09-shapes)" &&
    press ctrl+Left && until_true title_is "$(title_of $lesson)" && still back && same back first
ok "Right goes on into the next lesson, whose first step leads back into none"
press Right Right ctrl+k && xdotool type "causal and padding" && press Return &&
    until_true title_is "$(title_of 13-masks)" && press Right Escape &&
    until_true title_is "$(title_of $lesson)" &&
    [[ "$(xdotool getwindowname "$window")" == *"Step 3 of"* ]] && press Home && still back &&
    same back first
ok "Escape returns to where a search was made"
press Right Right Right Right Right Right Right Down Right && still loud && press m &&
    still muted && differ muted loud && press m && still back && same back loud &&
    press m r F7 && still back && same back loud && press Up Home && still closed &&
    same closed first
ok "M mutes a step, M and R restore it"
press Right Right Right && still plain && press c Return && still field &&
    differ field plain && xdotool type --delay 40 "1/3" && press Return Escape && still changed &&
    differ changed plain && differ changed field && press d && still compared &&
    differ compared changed && press d ctrl+z && still back && same back plain &&
    press ctrl+y && still again && same again changed && press ctrl+shift+z ctrl+z &&
    press F7 && still back && same back plain
ok "Enter takes a number, D compares, Ctrl+Z and Ctrl+Y undo and redo"
point 0.449 0.555 && still pointed && xdotool click 4 click 5 click 5 && still turned &&
    same turned pointed && xdotool click 1 && still pinned && xdotool click 4 && still turned &&
    same turned pinned && press Escape && point 0.5 0.155 && still back && same back plain
ok "the wheel over a cell changes nothing"
point 0.449 0.555 && xdotool click --repeat 2 --delay 60 1 && still field && xdotool click 4 &&
    still turned && differ turned field && press Escape Escape && point 0.5 0.155 && still back && same back plain
ok "the wheel over an open field moves its number, which Escape takes back"
point 0.449 0.555 && xdotool click 1 && press 7 && still field && press Escape Escape &&
    point 0.5 0.155 && still back && same back plain && differ field plain
ok "a digit at a pinned cell opens its field"
point 0.449 0.555 && xdotool click --repeat 2 --delay 60 1 && still field && differ field plain &&
    press Escape Escape && point 0.5 0.155 && still back && same back plain
ok "a double click asks for a number"
press Tab && still numbers && differ numbers plain && press Tab && still told &&
    differ told numbers && press shift+Tab && still again && same again numbers &&
    press Tab Tab && still code && differ code numbers && press Tab && still back &&
    same back plain
ok "Tab goes round the depths of the words, Shift+Tab back"
press x && still panel && differ panel plain && press F7 && still back && same back plain
ok "X says where there is no model to switch"
press Home && still closed && same closed first
ok "nothing of it is left"
press question && still help && differ help first && press Escape && still closed &&
    same closed first
ok "? shows the help, Escape closes it"
press g && still glossary && differ glossary first && xdotool type "beam" && still beam &&
    differ beam glossary && press Escape && still closed && same closed first
ok "G opens the glossary, letters search in it, Escape closes it"
press l && still other && differ other first
for _ in $(seq 2 "$languages"); do press l; done
still again && same again first
ok "L turns the language round"
press t && still dark && differ dark first
ok "T shows the next theme"
themes=$(grep -c "^[a-z]*:" "$(dirname "$0")/../assets/themes.yaml")
for _ in $(seq 3 "$themes"); do press t; done # all but that for print
press F7 && still light && same light first # without what is said of it
ok "T turns the colours round"
press F7 ctrl+l alt+t && still unmoved && same unmoved first
ok "other keys, and those of the desktop, do nothing"

before=$(ticks)
sleep 2
[ $(($(ticks) - before)) -le 1 ]
ok "an idle window takes no processor time"
before=$(ticks)
for i in $(seq 40); do
    xdotool mousemove --window "$window" $((600 + i)) $((140 + i % 2))
done
sleep 1
[ $(($(ticks) - before)) -le 30 ]
ok "a pointer that changes nothing takes hardly any"

# ---- motion ----

# The processor time of an idle second and a half, in hundredths.
idle() {
    local before
    before=$(ticks)
    sleep 1.5
    [ $(($(ticks) - before)) -le 1 ]
}

press Right Right Right Right Right Down && shot adding && until_true idle &&
    still added && differ adding added && idle
ok "the first cell is added up, then nothing is painted"
press Right && still second && differ second added && press Left && still back &&
    same back added && press Up Home && still closed && same closed first
ok "Right goes on to the next, Left shows it again at once"
press a && until_true eval "shot playing && differ playing first" && press a Home &&
    still closed && same closed first
ok "A plays and stops"
press plus && still faster && press minus Home && still closed && same closed first
ok "plus and minus are taken"
press Right && still two && press Right && still three && differ three two &&
    press Home Right && sleep 0.7 && press Right && still onwards && same onwards three &&
    press Home && still closed && same closed first
ok "Right goes on while something moves"

# ---- a training ----

start_unasked 31-training && press Right Right Right Right && still trained && press Down &&
    still untrained && differ untrained trained && press Right && still updated &&
    differ updated untrained && press Left && still back && same back untrained
ok "a training opens at its beginning, Right is an update, Left takes it back"
point 0.4 0.45 && xdotool mousedown 1 && still within && differ within untrained &&
    point 0.05 0.45 && xdotool mouseup 1 && point 0.5 0.155 && still back &&
    same back untrained
ok "a drag along its curves goes through it"
press a && until_true eval "shot played && differ played untrained" && press a &&
    still played && differ played untrained && press q q && ends_with 0
ok "A plays it"
start_unasked $lesson && still closed && same closed first
ok "another program shows the first lesson the same"

# ---- size ----

xdotool windowsize "$window" 1200 800 && until_true size_is 1200x800 && still resized &&
    [ "$(convert "$work/resized.ppm" -crop 1x1+1199+790 -format '%[fx:intensity>0.5]' \
        info:)" = 1 ]
ok "a resized window is painted to its edges"
press Right Right Right Right Right && still scores
press ctrl+s && until_true pictures_are 1 && still said && differ said scores
ok "Ctrl+S saves a picture and says so"
"$program" export $lesson --out "$work/export" --size 1200x800 --words story >/dev/null &&
    until_true cmp -s "$pictures"/*.png "$work/export/$lesson"/06-*.png
ok "the saved picture has the bytes that export writes"
press ctrl+s && until_true pictures_are 2 &&
    [ -z "$(find "$pictures" -type f ! -name '*.png')" ]
ok "saving again writes beside it"
press Up && still quiet && same quiet scores
ok "the next key takes the message away"
xdotool windowunmap --sync "$window" && press Right && xdotool windowmap --sync "$window" &&
    xdotool windowfocus --sync "$window" && until_true painted && still shown &&
    same shown scores
ok "a window that was hidden is painted again"
xdotool windowsize "$window" 1440 900 && until_true size_is 1440x900 && press Home &&
    still small && same small first
ok "the old size shows the old picture"
xdotool windowsize "$window" 300 200 && until_true size_is 300x200 && still tiny && painted &&
    xdotool windowsize "$window" 1440 900 && until_true size_is 1440x900
ok "a small window shows the same page, small"
press F11 && until_true painted && press F11 && until_true painted
ok "F11 there and back survives"

press q q && ends_with 0
ok "Q quits with 0"
[ ! -s "$work/err" ] && [ ! -s "$work/out" ]
ok "nothing was complained of"

# ---- home, and the tour ----


start --reduced-motion
ok "without a lesson home opens"
title_is Glassformer
ok "with the program's name as title"
still home && point 0.35 0.5 && until_true eval "still door && differ door home" &&
    point 0.5 0.155 && until_true eval "still back && same back home"
ok "a block under the pointer is marked"
point 0.35 0.5 && until_true eval "still door && differ door home" && xdotool click 1 &&
    until_true eval "still list && differ list door" && point 0.5 0.155 &&
    still stays && differ stays home && press Escape &&
    until_true eval "still closed && same closed door" && point 0.52 0.155 &&
    until_true eval "still back && same back home"
ok "a click lists its lessons, which stay; Escape leaves the block chosen, the pointer frees it"
press Tab && still chosen && differ chosen home && press Tab && still next &&
    differ next chosen
ok "Tab chooses"
press o && press Escape && kill -TERM "$process" && ends_with 0 && start --reduced-motion &&
    press Down Down Return && until_true eval "! title_is Glassformer" && still seen &&
    press e && still asked && differ asked seen && xdotool type "I drink" &&
    press Return && still first && differ first asked && press Right && still second &&
    differ second first && press Left && still back && same back first &&
    press Escape && until_true title_is Glassformer
ok "the second card begins the tour, which takes a sentence, goes along and back and is left"
point 0.35 0.5 && kill -TERM "$process" && ends_with 0
start_below --fresh --reduced-motion
still below && same below home
ok "a pointer that lay there when the window opened marks nothing"
point 0.352 0.5 && until_true eval "still door && differ door home"
ok "as soon as it moves it does"
kill -TERM "$process" && ends_with 0
start
until_true eval "shot one && sleep 0.3 && shot two && differ one two"
ok "a light travels at home"
used=$(ticks) && sleep 3 && used=$(($(ticks) - used)) && [ "$used" -le 30 ]
ok "and takes less than a tenth of a processor ($used of 300 hundredths)"
kill -TERM "$process" && ends_with 0
start --reduced-motion
still home && used=$(ticks) && sleep 2 && [ "$(($(ticks) - used))" -le 2 ]
ok "without motion home stands still and takes no time"
press Right && still opened && differ opened home &&
    title_is "$(title_of 40-the-whole-path)"
ok "Right opens the whole path and takes over its title"
press e && still field && differ field opened && xdotool type "Anna met Ben because he was sad" && still typed &&
    differ typed field && press Return && still own && differ own opened &&
    press shift+e && still back && same back opened
ok "E takes a text of one's own, Shift+E takes it back"
press e && xdotool type "learning" && press ctrl+a BackSpace && xdotool type "I" &&
    press Left l Escape && still back && same back opened
ok "while a text is written keys edit it, Escape leaves all as it was"
press o && until_true title_is Glassformer
ok "O comes back"
kill -TERM "$process" && ends_with 0
ok "a request to end is one to quit"

# ---- following a number back ----

start_unasked $lesson
still begun && press Right Right Right Right && still value && press BackSpace &&
    still followed && differ followed value && press shift+BackSpace && still back &&
    same back value
ok "Backspace follows a number back, Shift+Backspace returns to the same picture"
press i && still moved && differ moved value && press Left && still earlier &&
    differ earlier moved && press Right i && still back && same back value
ok "I shows influences in place of values, at earlier steps too, and leaves them"
kill -TERM "$process" && ends_with 0
ok "and it ends"

# ---- practising ----

start_unasked $lesson
still begun && press p && still asked && differ asked begun && xdotool type "qlt?5" &&
    still typed && differ typed asked && press Return && still hinted && differ hinted typed
ok "P asks for a number; letters are then the answer's"
press shift+Return && still shown && differ shown hinted && press Escape && still back &&
    same back begun
ok "Shift+Enter shows it, Escape leaves the picture as it was"
kill -TERM "$process" && ends_with 0
ok "and it ends as well"

# ---- questions ----

start $lesson
press Right Right Right Right Right && still asked && xdotool type "2" && still typed &&
    differ typed asked && press Return && still answered && differ answered typed &&
    press Left Right && still back && differ back asked
ok "a step that asks hides its result until a number is written, and asks once"
press Right && still asked && press Right && still shown && differ shown asked &&
    press Right && still next && press n F7 && still off && differ off next
ok "Right shows what is hidden and then goes on; N asks no more"
press q q && ends_with 0
ok "and it quits, too"

# ---- as it was left ----

memory=$HOME/.local/share/glassformer/memory.json
[ ! -e "$memory" ]
ok "what is started afresh keeps nothing"

# kept WORDS: they stand in the memory.
kept() {
    grep -q "$1" "$memory" 2>/dev/null
}

start_as_left $lesson && still begun && press Right Right Right && still plain &&
    press c Return && xdotool type --delay 40 "0.25" && press Return Escape t F7 && still changed &&
    differ changed plain && until_true kept "value: 0.25" &&
    until_true kept '"theme": "dark"' && kill -9 "$process" &&
    ends_with 137
ok "what is changed is on the disk, whatever ends the program"
start_as_left $lesson && still told && press F7 && still again && differ again told &&
    same again changed
ok "the lesson opens where it was left, with what was changed, and says so"
press ctrl+z && press Down Up && still undone && differ undone changed && press t t F7 &&
    still light && same light plain
ok "Ctrl+Z takes that back"
start_as_left $lesson && still before && press c Return && still asked &&
    xdotool type --delay 40 "0.5" && press Return &&
    until_true eval "shot after && differ after asked" && kill -9 "$process" &&
    ends_with 137 && kept "value: 0.5"
ok "a change is on the disk as soon as it is on the screen"
start_as_left $lesson && still before && press ctrl+z && still undone && press q q && ends_with 0
ok "and can be undone the next time"
start_as_left --theme light 12-blend && press q q && ends_with 0 &&
    kept '"last": "12-blend"' && kept '"theme": "light"'
ok "what is left by Q is written at once"
start_as_left && title_is Glassformer && press Return &&
    until_true title_is "$(title_of 12-blend)" && press q q && ends_with 0
ok "without a lesson it begins where all lessons are, and goes on from there"
"$program" play $lesson --keys Right >"$work/out" && ! grep -q '"redo": 1' "$work/out" &&
    kept '"last": "12-blend"'
ok "playing neither reads it nor writes it"
start_as_left $lesson && still there && press c Return && xdotool type --delay 40 "0.75" &&
    press Return && xdotool windowclose "$window" && ends_with 1 && kept "value: 0.75"
ok "what is changed is on the disk where the X server ends the program at once, too"

# ---- a lesson that is being written ----

# small NUMBER: a lesson with that in it.
small() {
    printf 'title: "Mine %s"\ngiven: {X: [[%s, 2]]}\nsteps:\n  - do: Y = X + X\n' "$1" "$1"
    printf '  - do: Z = Y * X\n  - do: W = Z + Y\n'
}
small 1 >"$work/mine.yaml"
start "$work/mine.yaml" && press Right && still one && small 3 >"$work/mine.yaml" &&
    until_true title_is "Mine 3" && still three && differ three one
ok "a lesson is read again when its file is saved"
small 1 >"$work/new.yaml" && mv "$work/new.yaml" "$work/mine.yaml" &&
    until_true title_is "Mine 1" && until_true eval "still back && same back one"
ok "in the same place, and a file that another took the place of, too"
small 5 | sed 's/Y \* X/Y * Q/' >"$work/mine.yaml" && until_true eval "still broken && differ broken one" &&
    title_is "Mine 1" && press Left && still earlier &&
    differ earlier broken
ok "errors stand over the last that was good, which can be gone through"
small 1 >"$work/mine.yaml" && until_true eval "still good && differ good earlier" &&
    press Right && still mended && same mended one
ok "a good save takes them away"
press c Return && xdotool type --delay 40 "7" && press Return Escape && still changed &&
    small 1 >"$work/mine.yaml" && sleep 1.5 && until_true eval "still again && same again changed" &&
    press ctrl+z && still undone && same undone one
ok "what was changed stays, and can be undone"
before=$(ticks)
sleep 2
[ $(($(ticks) - before)) -le 2 ]
ok "looking at the file takes hardly any processor time"
if [ -x "$drop" ]; then
    small 4 >"$work/dropped.yaml"
    "$drop" "$window" "$work/dropped.yaml" && until_true title_is "Mine 4"
    ok "a file that is dropped on the window opens"
    still there && printf 'title: x\nsteps:\n  - do: Q = X @ W\n' >"$work/wrong.yaml" &&
        "$drop" "$window" "$work/wrong.yaml" && still refused && differ refused there &&
        title_is "Mine 4" && press F7 && still again && same again there
    ok "one with errors is told of, and the lesson stays"
fi
press q q && ends_with 0
ok "and it ends"

# ---- presenting ----

# windows_are COUNT: so many of the program's are on the screen.
windows_are() {
    [ "$(xdotool search --all --onlyvisible --pid "$process" --class glassformer \
        2>/dev/null | wc -l)" -eq "$1" ]
}

# choose_notes, open_notes: finds the action, and on a single screen says that it is meant.
choose_notes() {
    press ctrl+k && sleep 0.3 && xdotool type "notes in a window" && sleep 0.3 && press Return
}
open_notes() {
    choose_notes && sleep 0.3 && windows_are 1 && press Return
}

# Only a window manager lets a window fill the screen.
if command -v jwm >/dev/null; then
    printf '<JWM/>\n' >"$work/jwmrc"
    jwm -f "$work/jwmrc" >"$work/jwm" 2>&1 &
    manager=$!
    sleep 1
    start $lesson
    still begun && class=$window && press F5 && still told && differ told begun &&
        press Shift_L && still kept && same kept told && press Next &&
        still on && press Prior && still shown && differ shown on && differ shown told &&
        press Next && press Prior && still again && same again shown && windows_are 1
    ok "F5 presents, and says how to end it until the next key; Page Down and Page Up are steps"
    press shift+F5 && sleep 0.5 && windows_are 1 && open_notes && until_true windows_are 2 &&
        sleep 0.5 && window= && find_window && [ "$window" != "$class" ] && still notes && painted &&
        [[ "$(xdotool getwindowname "$window")" == "Notes: 8 · "* ]] && window=$class && press Next &&
        press Prior && sleep 0.5 && choose_notes && until_true windows_are 1 && still back &&
        same back shown
    ok "the notes come in a window of their own, on the only screen after a question, and go"
    press b && still black && [ "$(identify -format %k "$work/black.ppm")" = 1 ] && press b &&
        still back && same back shown
    ok "B makes the screen black, and takes that away"
    press w && still white && [ "$(identify -format %k "$work/white.ppm")" = 1 ] && press Escape &&
        still back && same back shown && press shift+F10 && still menu && differ menu back &&
        press Next Prior && still back && same back shown
    ok "Escape on a white screen brings the page back, and Page Down leaves a menu"
    press ctrl+equal && still larger && differ larger shown && press ctrl+0 Next Prior &&
        still back && same back shown
    ok "Ctrl and plus makes the type larger, Ctrl and 0 as it was"
    open_notes && until_true windows_are 2 && sleep 0.5 && press Escape &&
        until_true windows_are 1 && until_true size_is 1440x900 && point 0.5 0.155 && still back && same back begun
    ok "Escape ends it, and the notes' window goes"
    sleep 0.5 && press Right && still after && differ after back && press Left && still again &&
        same again back && xdotool windowsize "$window" 1200 800 && until_true size_is 1200x800 &&
        still resized && painted && xdotool windowsize "$window" 1440 900 &&
        until_true size_is 1440x900
    ok "and the lesson's window goes on to be painted"
    press F5 && open_notes && until_true windows_are 2 && sleep 0.5 && press F5 &&
        until_true windows_are 1 && sleep 0.5 && press Right && still after && differ after back
    ok "so it does when F5 ends it"
    # notes_come: they are open, in a window whose number is in $notes.
    notes_come() {
        until_true windows_are 2 && sleep 0.5 && window= && find_window && notes=$window &&
            window=$class # a key waits for the window manager to give a window the keys
    }
    # The lesson's window has the keys; it gets them back some time after the other has gone.
    has_keys() {
        [ "$(xdotool getwindowfocus)" = "$class" ]
    }
    press F5 && open_notes && notes_come && first_notes=$notes
    for i in 1 2 3 4 5 6; do
        press Escape && until_true windows_are 1 && press F5 && open_notes && notes_come &&
            [ "$notes" = "$first_notes" ] || break
        xdotool mousemove --window "$notes" 300 200
    done
    [ "$notes" = "$first_notes" ] && sleep 0.5 && press Right && kill -0 "$process"
    ok "the notes' window is the same as often as it comes, the pointer over it or not"
    if [ -x "$drop" ]; then
        is_black() {
            shot black && [ "$(identify -format %k "$work/black.ppm")" = 1 ]
        }
        "$drop" "$notes" && until_true windows_are 1 && until_true has_keys && sleep 0.5 &&
            press b && until_true is_black && press b && open_notes && notes_come
        ok "its X closes no more than the notes"
        "$drop" "$class" && ends_with 0 && start $lesson && press F5 && "$drop" "$window" &&
            ends_with 0 && start $lesson
        ok "the lesson's window's X quits, with notes beside it and without"
    fi
    kill -TERM "$process" && ends_with 0
    ok "and it ends after presenting"
    kill "$manager"
    wait "$manager"
else
    skip "presenting on the full screen" "jwm is not installed"
fi

# ---- a lesson that takes long ----

python3 -I - >"$work/large.yaml" <<'END'
words = " ".join(f"w{i}" for i in range(400))
print(f"""title: A large one
model:
  kind: encoder_decoder
  d_model: 512
  heads: 8
  d_ff: 2048
  layers: 3
  corpus: ["{words}"]
  source: "{' '.join(words.split()[:64])}"
  target: "{' '.join(words.split()[100:160])}"
  weights: {{random: 1}}""")
END
"$program" "$work/large.yaml" >"$work/out" 2>"$work/err" </dev/null &
process=$!
until_true find_window && press Right Right && until_true title_is "A large one"
ok "a large lesson opens its window before it is read"
still there && press Left Left && still first && differ there first
ok "keys pressed meanwhile are kept"
press q q && ends_with 0
ok "and it quits"

GLASSFORMER_EXIT_AFTER_FIRST_FRAME=1 "$program" $lesson >"$work/out" 2>"$work/err" &
process=$!
ends_with 0
ok "GLASSFORMER_EXIT_AFTER_FIRST_FRAME ends it with the first frame"
printf 'title: x\nsteps:\n  - do: Q = X @ W\n' >"$work/bad.yaml"
"$program" "$work/bad.yaml" >"$work/out" 2>"$work/err" &
process=$!
ends_with 1 && grep -q "bad.yaml:3:" "$work/err"
ok "a lesson with errors opens no window and tells them"


# ---- a small desktop ----

# start_height WIDTHxHEIGHT: how high a window opens on a desktop of that size.
start_height() {
    xvfb-run -a -s "-screen 0 $1x24" bash -c '
        "$0" "$1" --fresh >/dev/null 2>&1 &
        for i in $(seq 100); do
            found=$(xdotool search --all --onlyvisible --pid $! --class glassformer 2>/dev/null | tail -n 1)
            [ -n "$found" ] && break
            sleep 0.1
        done
        xdotool getwindowgeometry --shell "$found"
        kill $!' "$program" $lesson | sed -n 's/^HEIGHT=//p'
}
[ "$(start_height 1280x720)" = 680 ] && [ "$(start_height 1920x1080)" = 900 ]
ok "a window opens no higher than leaves room for its title bar"

# ---- a desktop with a window manager ----

# managed COMMAND…: on an X server of its own, with one that draws frames.
managed() {
    xvfb-run -a -s "-screen 0 1920x1200x24" bash -c '
        printf "<JWM/>\n" >"$1/jwmrc"
        jwm -f "$1/jwmrc" >/dev/null 2>&1 &
        sleep 3
        program=$2 lesson=$3
        begin() {
            "$program" "$lesson" >/dev/null 2>&1 &
            process=$!
            for i in $(seq 100); do
                found=$(xdotool search --all --onlyvisible --pid $process --class glassformer \
                    2>/dev/null | tail -n 1)
                [ -n "$found" ] && break
                sleep 0.1
            done
            sleep 3
        }
        # soon COMMAND…: waits until it succeeds, at most 15 s.
        soon() {
            for i in $(seq 60); do
                "$@" && return
                sleep 0.25
            done
            false
        }
        end() {
            kill "$process"
            wait "$process"
        }
        place() {
            xdotool getwindowgeometry "$found" | grep -v Window | tr -d "\n"
        }
        eval "$4"
        end
        kill %1' - "$work" "$program" $lesson "$1"
}
if command -v jwm >/dev/null; then
    [ "$(managed '
        begin
        xdotool windowmove "$found" 200 150
        sleep 1
        for start in 1 2 3 4 5; do
            place
            echo
            end
            begin
        done' | sort -u | wc -l)" = 1 ]
    ok "a window is where it was left, start after start"
    [ "$(managed 'begin; before=$(place)
        is_full() {
            xdotool getwindowgeometry "$found" | grep -q 1920x1200
        }
        is_back() {
            [ "$(place)" = "$before" ]
        }
        xdotool key F5; soon is_full && echo full
        sleep 1; xdotool key Escape; soon is_back && echo "as before"')" = "full
as before" ]
    ok "presenting fills the screen, and Escape gives the window its place back"
    [ "$(managed 'begin; xdotool windowmove "$found" 1500 900; sleep 2; end; begin
        # xdotool counts the width of the frame twice.
        is_inside() {
            eval "$(xdotool getwindowgeometry --shell "$found")"
            [ $((X + WIDTH)) -le 1936 ] && [ $((Y + HEIGHT)) -le 1248 ]
        }
        soon is_inside && echo inside')" = inside ]
    ok "one that was left beyond the screen's edge is moved into it"
else
    skip "a window's place with a window manager" "jwm is not installed"
fi

plan
