#!/bin/sh
# Tatoeba, German to English: fetched by mtdata, cleaned, and divided so that no sentence of dev or test is in train.
#   sh data/recipes/tatoeba.sh [FOLDER]
# Other languages: mtdata list -l eng-fra -n tatoeba tells the id; mtdata has languages by three letters.
set -eu
folder=${1:-data/tatoeba}
mkdir -p "$folder"
# In an environment of its own: mtdata pins versions that are none of ours.
python3 -m venv "$folder/mtdata"
"$folder/mtdata/bin/pip" install --quiet "mtdata==0.5.1"
"$folder/mtdata/bin/mtdata" get -l deu-eng --train OPUS-tatoeba-v20230412-deu-eng --merge --out "$folder/raw"
# It has written train.deu and train.eng; ours are called by two letters.
nmt data check "$folder/raw/train.deu" "$folder/raw/train.eng" --languages de en || true
nmt data clean "$folder/raw/train.deu" "$folder/raw/train.eng" --languages de en -o "$folder/all"
# Here many sentences differ by one word, as in "Tom is tired." and "Tom was tired.": they are kept out of train.
nmt data split "$folder/all" --languages de en --dev 2000 --test 2000 -o "$folder"
nmt data stats "$folder/train" --languages de en
nmt train data/recipes/tatoeba.yaml data.train="$folder/train" data.dev="$folder/dev" data.test="$folder/test"
