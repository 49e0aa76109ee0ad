import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { processesOf } from "./processes.ts";
import type { TestRepository } from "./repository.ts";

/** Which git command of a run springs the trap: the first whose arguments match, or the n-th of all, from 1. */
export type TrapMoment = { readonly like: string } | { readonly nth: number };

/** Lines of shell that are run before git begins. `$spar` is who wants it, `$TRAP` a folder of the trap's own. */
export const TRAPS = {
	/** Sparring is killed before git begins. */
	killParent: "kill -9 $spar; exit 1",
	/** Sparring and its watchdog are killed, and git begins once `release` was called: it outlives them. */
	killParentAndWait:
		'kill -9 $(pgrep -P $spar -f watchdog-process) $spar; while [ ! -e "$TRAP/go" ]; do sleep 0.02; done',
	/** git says that the disk is full. */
	diskFull: "echo 'fatal: No space left on device' >&2; exit 128",
} as const;

/** A `git` before the real one on the PATH that springs once. */
export interface GitTrap {
	/** Environment for `spar`. */
	readonly env: Readonly<Record<string, string>>;
	/** True once the trap has sprung. */
	readonly sprung: () => boolean;
	/** True while the lines of the trap run, which may outlive a `spar` that they kill. Linux only. */
	readonly isActing: () => boolean;
	/** Lets a waiting git go on. */
	readonly release: () => void;
}

const REAL = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();

function condition(moment: TrapMoment): string {
	if ("like" in moment)
		return `case " $* " in ${moment.like.replaceAll(" ", "\\ ")});; *) false;; esac`;
	return `echo >> "$TRAP/count"; [ "$(wc -l < "$TRAP/count")" -ge ${moment.nth} ]`;
}

/**
 * Sets a trap for one git command of the next process; an earlier trap of the repository is taken away.
 *
 * @param moment `like` is a pattern of `case` in the shell, matched against all arguments: `"* add --all *"`
 * @param action lines of shell, such as those of `TRAPS`; git itself follows unless they exit
 */
export function gitTrap(repo: TestRepository, moment: TrapMoment, action: string): GitTrap {
	const trap = emptyTrap(repo);
	writeProgram(join(trap, "git"), [
		"spar=$PPID",
		...springing(trap, condition(moment), action),
		`exec '${REAL}' "$@"`,
	]);
	return trapIn(repo, trap);
}

/**
 * Sets a trap for the move of a ref: `prepared`, when git has locked it and nothing has moved, or `committed`, when it has
 * moved. One process of git moves many refs, so that its arguments do not tell.
 *
 * @param ref a pattern of `case` in the shell, such as `"refs/sparring/**"`
 * @param action as for `gitTrap`; one that exits with 1 while it is prepared keeps the ref where it is
 */
export function refTrap(
	repo: TestRepository,
	{ state, ref }: { readonly state: "prepared" | "committed"; readonly ref: string },
	action: string,
): GitTrap {
	const trap = emptyTrap(repo);
	const moves = `[ "$1" = ${state} ] && while read -r _ _ ref; do case "$ref" in ${ref}) exit 0;; esac; done`;
	mkdirSync(join(trap, "hooks"));
	writeProgram(join(trap, "hooks/reference-transaction"), [
		...springing(trap, `(${moves}; exit 1)`, action),
	]);
	writeProgram(join(trap, "git"), [
		"export spar=$PPID",
		// Sparring switches hooks off.
		'for word; do shift; case "$word" in core.hooksPath=*) word="core.hooksPath=$(dirname "$0")/hooks";; esac; set -- "$@" "$word"; done',
		`exec '${REAL}' "$@"`,
	]);
	return trapIn(repo, trap);
}

/** The folder of the trap, armed and with nothing else in it. */
function emptyTrap(repo: TestRepository): string {
	const trap = join(repo.home, "trap");
	rmSync(trap, { recursive: true, force: true });
	mkdirSync(trap, { recursive: true });
	writeFileSync(join(trap, "armed"), "");
	return trap;
}

/** Lines that act once, when a condition holds. */
function springing(trap: string, condition: string, action: string): string[] {
	return [
		`TRAP='${trap}'`,
		`if [ -e "$TRAP/armed" ] && { ${condition}; } && rm "$TRAP/armed" 2>/dev/null; then`,
		action,
		"fi",
	];
}

function writeProgram(file: string, lines: readonly string[]): void {
	writeFileSync(file, `#!/bin/sh\n${lines.join("\n")}\n`);
	chmodSync(file, 0o755);
}

function trapIn(repo: TestRepository, trap: string): GitTrap {
	return {
		env: { PATH: [trap, repo.env["PATH"] ?? ""].join(delimiter) },
		sprung: () => !existsSync(join(trap, "armed")),
		isActing: () => processesOf(repo).some(({ command }) => command.startsWith(`/bin/sh ${trap}/`)),
		release: () => writeFileSync(join(trap, "go"), ""),
	};
}
