#!/bin/bash
# `glassformer train` from outside: interrupted anywhere and gone on with, it ends in the same
# bytes; what it can't go on from, it says. Prints TAP.
#
#   tests/training.sh PROGRAM
set -u
program=$(realpath -e "$1") || exit 1
here=$(dirname "$(realpath "$0")")
lesson=$(realpath -e "$(dirname "$0")/lessons/training.yaml") || exit 1
. "$here/tap.sh"
cd "$work" || exit 1
epochs=8000

# train ARGS…: the command; its streams in $work/out and $work/err.
train() {
    timeout $longest "$program" train "$lesson" "$@" </dev/null >out 2>err
}

# ends_with STATUS WORDS ARGS…: trains and wants that exit status and WORDS on standard error.
ends_with() {
    local wanted=$1 words=$2 status
    shift 2
    train "$@"
    status=$?
    [ $status -eq "$wanted" ] && grep -qF -- "$words" err
}

# interrupt SIGNAL SECONDS FILE: sends the signal so long after the training has begun, or
# gone on.
interrupt() {
    local said="" child
    [ -e "$3" ] && said="going on"
    "$program" train "$lesson" --out "$3" --epochs $epochs </dev/null >out 2>err &
    child=$!
    until { [ -e "$3" ] && { [ -z "$said" ] || grep -q "$said" err; }; } || ! kill -0 $child 2>/dev/null; do
        sleep 0.002
    done
    sleep "$2"
    kill -"$1" $child 2>/dev/null
    wait $child
}

# The text and the weights of lesson 38 come from recipes. The weights take minutes: where
# GLASSFORMER_RECIPE is set they are made again.
data=$(realpath -e "$here/../lessons/data") || exit 1
python3 -I "$data/small_world.py" >text 2>err && cmp -s text "$data/small-world.txt"
ok "the grammar writes the text again"

if [ -n "${GLASSFORMER_RECIPE:-}" ]; then
    "$program" train "$here/../lessons/38-type-anything.yaml" --out recipe --weights weights >out 2>err </dev/null &&
        cmp -s weights "$data/small-world.safetensors"
    ok "the recipe trains the same weights again"
fi

train --out whole --epochs $epochs && grep -q "100.0% of words right" out
ok "a training ends with every word right"

# However slow the machine is: behind that many interruptions it may go on to its end.
interruptions=0
for round in {1..24}; do
    case $((round % 2)) in 0) signal=TERM ;; 1) signal=INT ;; esac
    interrupt $signal 0.0$((round * 3 % 7))$((round % 10)) parts
    grep -q "interrupted behind update" err && interruptions=$((interruptions + 1))
    ! grep -q "$epochs epochs" out || break
done
echo "# interrupted $interruptions times in $round rounds"
[ $interruptions -ge 2 ] && train --out parts --epochs $epochs && cmp whole parts >>err 2>&1
ok "interrupted again and again, it ends in the same bytes"

[ -z "$(find . -name '*.tmp*')" ]
ok "no temporary file is left behind"

train --out few --epochs 100 && train --out few --epochs $epochs && cmp few whole
ok "more epochs go on from fewer"

train --out few --epochs $epochs && cmp few whole && grep -q "few: all $epochs epochs are trained already" err &&
    ! grep -q "going on" err
ok "a training that is over stays as it is"

ends_with 1 "8000 epochs are over already, and only 7 are wanted" --out few --epochs 7
ok "fewer epochs than are over are refused"

cp whole kept
sed 's/learning_rate: 0.02/learning_rate: 0.03/' "$lesson" >other.yaml
"$program" train other.yaml --out whole 2>err
[ $? -eq 1 ] && grep -q "'whole' is from another training" err && cmp whole kept
ok "a file of another training is refused and kept"

head -c 3000 kept >cut
ends_with 1 "cut" --out cut --epochs $epochs
ok "a damaged file is refused"

echo "my thesis" >thesis
cp thesis thesis.before
ends_with 1 "'thesis' is there already and holds no weights of this model" --out few --epochs $epochs --weights thesis &&
    cmp -s thesis thesis.before
ok "--weights doesn't overwrite another program's file"
ends_with 1 "no weights of this model" --out few --epochs $epochs --weights whole && cmp -s whole kept
ok "--weights doesn't overwrite a checkpoint"
ends_with 1 "'both' is named by --out too" --out both --epochs 2 --weights both && [ ! -e both ]
ok "--weights and --out can't be the same file"
ends_with 1 "no weights of this model" --out both --epochs 2 --weights ./both &&
    train --out both --epochs 2
ok "--weights doesn't write over the file of --out under another path"
ends_with 3 "can't write 'nowhere/file'" --out new --epochs 2 --weights nowhere/file && [ ! -e new ]
ok "a missing folder of --weights is reported before training"
train --out few --epochs $epochs --weights alone && cp alone alone.before &&
    train --out other --epochs 2 --weights alone && ! cmp -s alone alone.before &&
    [ "$(stat -c %s alone)" = "$(stat -c %s alone.before)" ]
ok "--weights replaces weights of the same model"

ends_with 3 "can't write" --out nowhere/file
ok "a folder that isn't there is told before training"

ends_with 3 "it is not a regular file" --out .
ok "a folder is refused"

"$program" train 01-tokens --out x 2>err
[ $? -eq 1 ] && grep -q "has nothing to train" err && [ ! -e x ]
ok "a lesson without training is refused"

"$program" train "$lesson" 2>err
[ $? -eq 2 ] && grep -q -- "--out" err
ok "the file must be named"

cat >trained.yaml <<END
title: The trained model
model:
  kind: encoder_decoder
  d_model: 6
  heads: 2
  d_ff: 12
  corpus:
    - "when you play the game of thrones"
    - "you win or you die"
    - "true enemy won't wait out the storm"
    - "he brings the storm"
    - "I drink and I know things"
  source: "I drink"
  expected: "and I know things"
  weights: {file: kept}
END
"$program" show trained.yaml --json >shown.json 2>err &&
    python3 -I - <<'END' 2>>err
import json
steps = json.load(open("shown.json"))["steps"]
loss = [step for step in steps if step["name"] == "loss"][-1]["values"][0][0]
assert 0 <= loss < 0.01, loss
END
ok "the file is a lesson's weights, which say the right words"

# The written words are enough to train in PyTorch: tests/training_from_words.py knows no more.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
words=$here/training_from_words.py
for options in "batch: 2, warmup: 5, clip: 1, seed: 3" \
    "optimizer: sgd, learning_rate: 0.3, batch: all, seed: 8"; do
    cat >words.yaml <<END
title: By words
model:
  d_model: 8
  heads: 2
  layers: 2
  source: "when you play"
  expected: "you win or you die"
  weights:
    train:
      pairs:
        - ["when you play the game of thrones", "you win or you die"]
        - ["true enemy won't wait out the storm", "he brings the storm"]
        - ["the storm", "you die"]
      epochs: 20
END
    echo "$options" | tr ',' '\n' | sed 's/^ */      /' >>words.yaml
    if "$python" -I -c "import torch, yaml" 2>/dev/null; then
        rm -f words.safetensors
        "$program" train words.yaml --out words.safetensors >/dev/null 2>err &&
            "$python" -I "$words" words.yaml words.safetensors >out 2>>err
        ok "lessons/README.md is enough to train with $options"
    else
        skip "lessons/README.md is enough to train" "python3-torch is not installed; tests/run --all installs it"
    fi
done

plan
