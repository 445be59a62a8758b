#!/bin/bash
# An array of jobs, each a share of one export, and a job that closes it when all are there:
#   ./slurm.sh embryo.ome.zarr edges.ome.zarr 'gaussian sigma=0.4um | sobel' 64
# Run once more after a failure it computes what is missing, and nothing else.
set -euo pipefail
source=$1 out=$2 chain=$3 shares=$4
# What sbatch wraps is read by sh, which does not know bash's $'...' that printf %q makes of letters beyond ASCII.
quoted() { local word end="'\\''"; for word; do printf "'%s' " "${word//"'"/$end}"; done; }
words="$(quoted export "$source" --filter "$chain" --out "$out")"

array=$(sbatch --parsable --job-name=lamella --array="0-$((shares - 1))" --cpus-per-task=4 --mem=8G --time=4:00:00 \
  --requeue --output=lamella-%A_%a.log \
  --wrap="lamella $words --shard \$SLURM_ARRAY_TASK_ID/$shares --memory 6GiB")
sbatch --job-name=lamella-finish --dependency="afterok:$array" --cpus-per-task=4 --mem=8G --time=1:00:00 \
  --output=lamella-finish.log --wrap="lamella $words --shard finish --verify --memory 6GiB"
