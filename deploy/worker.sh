#!/bin/sh
# Clones the repository and makes the tables, each once, then takes tasks until it is told to stop. Arguments are those of `spar worker`.
set -eu
: "${SPAR_REPOSITORY:?is the address of the repository, as git clone takes it}"
# Checkouts of tasks stand beside the clone, in the same volume.
export XDG_STATE_HOME="${XDG_STATE_HOME:-$PWD/state}"
# Git's own places of secrets, which the sandbox hides from agents.
if [ -n "${SPAR_GIT_TOKEN:-}" ]; then
	host=${SPAR_REPOSITORY#*://}
	host=${host%%/*}
	host=${host##*@}
	install -m 600 /dev/null "$HOME/.netrc"
	printf 'machine %s login %s password %s\n' "${host%%:*}" "${SPAR_GIT_USER:-x-access-token}" "$SPAR_GIT_TOKEN" >"$HOME/.netrc"
	unset SPAR_GIT_TOKEN
fi
key=${SPAR_GIT_KEY_FILE:-/run/secrets/git-key}
if [ -s "$key" ]; then
	mkdir -p "$HOME/.ssh"
	install -m 600 "$key" "$HOME/.ssh/sparring"
	export GIT_SSH_COMMAND="ssh -i '$HOME/.ssh/sparring' -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new"
fi
[ -d clone/.git ] || git clone --quiet "$SPAR_REPOSITORY" clone
cd clone
spar store migrate
exec spar worker --slots "${SPAR_SLOTS:-2}" --health "${SPAR_HEALTH:-9464}" --json "$@"
