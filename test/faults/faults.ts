import { MARK_VARIABLE } from "../../src/process/process-table.ts";
import type { Seeded } from "../support/seeded.ts";

/** What goes wrong at a git command of the run. */
interface FaultKind {
	readonly name: string;
	/** Whether `spar` is killed first. */
	readonly kills: boolean;
	/** Lines of shell, run in the top of the user's work tree; `$RUN` is the run's id. */
	readonly action: string;
	/** What becomes of the git command: its exit code, or null when it goes on as if nothing had been. */
	readonly exit: number | null;
}

const INTEGRATION = '"sparring/$RUN/integration"';

const then = (name: string, action: string, exit: number | null = null): FaultKind => ({
	name,
	kills: false,
	action,
	exit,
});
const killedThen = (name: string, action: string, exit: number | null = 1): FaultKind => ({
	name,
	kills: true,
	action,
	exit,
});

/** Only what the run itself made is damaged. By name: git renews the time of an object that it would write again. */
const TRUNCATED = killedThen(
	"kill, newest objects truncated",
	'find .git/objects -type f -path \'*/objects/??/*\' | grep -vxFf "$HOME/objects-before" | xargs -r sh -c \'chmod u+w "$@" && truncate -s 0 "$@"\' sh',
);

const USER_COMMITS = then(
	"user commits on the base",
	'[ "$(git symbolic-ref --short -q HEAD)" = main ] && echo user > user.txt && git add user.txt && git commit --quiet -m "By the user" -- user.txt',
);

const SWITCHED_WITH_CHANGE = then(
	"switched to integration, with a change",
	`git switch --quiet ${INTEGRATION} && echo mine >> base-a.txt`,
);

const WORKTREE_WITH_CHANGE = then(
	"worktree on integration, with a change staged",
	`git worktree add --quiet "$HOME/linked" ${INTEGRATION} && echo mine > "$HOME/linked/mine.txt" && git -C "$HOME/linked" add mine.txt`,
);

/** What makes objects that hold work of the user's, now or when they put it aside. */
const USERS_WORK: readonly FaultKind[] = [USER_COMMITS, SWITCHED_WITH_CHANGE, WORKTREE_WITH_CHANGE];

/** Single faults; some end the process, others leave it running into them. */
const FAULTS: readonly [FaultKind, ...FaultKind[]] = [
	killedThen("kill", ":"),
	killedThen("kill, and git goes on", "sleep 0.2", null),
	then("disk full", "echo 'fatal: No space left on device' >&2", 128),
	then("git fails", "echo 'fatal: it is Sunday' >&2", 128),
	then("checkouts removed", 'rm -rf "$HOME/checkouts"'),
	killedThen("kill, checkouts removed", 'rm -rf "$HOME/checkouts"'),
	killedThen(
		"kill, checkouts emptied",
		"find \"$HOME/checkouts\" -path '*/player/*' -not -path '*/.git*' -delete",
	),
	killedThen("kill, checkouts elsewhere", 'mv "$HOME/checkouts" "$HOME/elsewhere"'),
	killedThen("kill, repository moved", 'mv "$TOP" "$HOME/moved"'),
	then("gc", "git gc --prune=now --quiet"),
	killedThen("kill, gc", "git gc --prune=now --quiet"),
	TRUNCATED,
	then("switched to integration", `git switch --quiet ${INTEGRATION}`),
	SWITCHED_WITH_CHANGE,
	then("worktree on integration", `git worktree add --quiet "$HOME/linked" ${INTEGRATION}`),
	WORKTREE_WITH_CHANGE,
	then(
		"rebase of the base",
		'export GIT_SEQUENCE_EDITOR="sed -i -e 1s/^pick/edit/"; git rebase --quiet --interactive HEAD~1',
	),
	then("bisect", "git bisect start; git bisect bad"),
	then("integration deleted", `git branch --quiet -D ${INTEGRATION}`),
	then("integration set back", `git branch --quiet -f ${INTEGRATION} main`),
	then("task branch set back", 'git branch --quiet -f "sparring/$RUN/one" main'),
	USER_COMMITS,
	then("state removed", "git clean -fdxq"),
];

/** A fault at the n-th git command of a process, with the clock of the process set to another time. */
export interface Strike {
	readonly fault: FaultKind;
	/** From 1; beyond the last command nothing happens. */
	readonly nth: number;
	/** Milliseconds that the clock of the process is ahead; negative: behind. */
	readonly clockMs: number;
}

const HOUR_MS = 3_600_000;

/** About as many git commands as the first process of a life starts. */
const COMMANDS = 34;

/** So many it starts at least, so that an earlier strike on it strikes. */
export const SURE_COMMANDS = 25;

/** One to three strikes, each on a process of its own. */
export function randomStrikes(random: Seeded): Strike[] {
	const strikes = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => ({
		fault: random.pick(FAULTS),
		nth: random.integer(1, COMMANDS),
		clockMs: random.pick([0, 0, 0, -3 * HOUR_MS, 3 * HOUR_MS]),
	}));
	// A loss of power may well take the user's newest work too; then nobody could say what is to be expected.
	const isDamaged = strikes.some(({ fault }) => fault === TRUNCATED);
	return strikes.filter(({ fault }) => !isDamaged || !USERS_WORK.includes(fault));
}

/** What a command of Sparring's has in its environment and one of the user's has not. */
const OWN_VARIABLES = [
	"GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_LITERAL_PATHSPECS GIT_OPTIONAL_LOCKS",
	"GIT_AUTHOR_DATE GIT_COMMITTER_DATE GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM",
	MARK_VARIABLE,
].join(" ");

/** The action of a strike as a trap's shell. */
export function trapAction({ fault }: Strike, top: string): string {
	return [
		fault.kills ? "kill -9 $spar" : ":",
		...(fault.exit === 128 ? [fault.action] : asTheUser(fault.action, top)),
		fault.exit === null ? ":" : `exit ${fault.exit}`,
	].join("\n");
}

/**
 * Runs lines of shell as a command of the user's: in a session of its own and without Sparring's mark, or it would be ended
 * together with the git command at which it strikes.
 */
function asTheUser(action: string, top: string): string[] {
	return [
		"cat > \"$TRAP/action\" <<'ACTION'",
		`TOP='${top}'; cd "$TOP"`,
		"RUN=$(git for-each-ref --format='%(refname)' refs/heads/sparring | head -n 1 | cut -d/ -f4)",
		action,
		"ACTION",
		`(unset ${OWN_VARIABLES}; exec setsid /bin/sh "$TRAP/action") <&- >/dev/null 2>&1`,
	];
}
