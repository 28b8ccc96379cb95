#!/bin/sh
# OPUS-100, English to French, cleaned: what breaks a rule, comes twice, or is in dev or test is left out of train.
#   sh data/recipes/opus-100.sh [FOLDER]
set -eu
folder=${1:-data/opus-100}
hub=hf:Helsinki-NLP/opus-100:en-fr
mkdir -p "$folder"
nmt data check "$hub#train" --languages en fr || true # says what is wrong; exit code 1 for errors
nmt data clean "$hub#train" --languages en fr -o "$folder/train" \
  --against "$hub#validation" --against "$hub#test" --dropped "$folder/dropped.tsv"
nmt data sample "$folder/train" --languages en fr -n 20 # look at some
nmt train data/recipes/opus-100.yaml data.train="$folder/train"
