#!/bin/sh
# Clones the repository and makes the tables, each once, then takes tasks until it is told to stop. Arguments are those of `spar worker`.
set -eu
: "${SPAR_REPOSITORY:?is the address of the repository, as git clone takes it}"
[ -d clone/.git ] || git clone --quiet "$SPAR_REPOSITORY" clone
cd clone
spar store migrate
exec spar worker --slots "${SPAR_SLOTS:-2}" --health "${SPAR_HEALTH:-9464}" --json "$@"
