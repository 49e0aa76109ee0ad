import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestRepository } from "./repository.ts";

/** Which git command of a run springs the trap: the first whose arguments match, or the n-th of all, from 1. */
export type TrapMoment = { readonly like: string } | { readonly nth: number };

/** `spar` is the caller, or the process for which a starter called. */
const FIND_SPAR = [
	"spar=$PPID",
	'if grep -q starter-process "/proc/$PPID/cmdline"; then read -r _ _ _ spar _ < "/proc/$PPID/stat"; fi',
].join("\n");

/** Lines of shell that are run before git begins. `$spar` is who wants it, `$TRAP` a folder of the trap's own. */
export const TRAPS = {
	/** Sparring is killed before git begins. */
	killParent: "kill -9 $spar; exit 1",
	/** Sparring and its starter are killed, and git begins once `release` was called: it outlives them. */
	killParentAndWait: 'kill -9 $spar $PPID; while [ ! -e "$TRAP/go" ]; do sleep 0.02; done',
	/** git says that the disk is full. */
	diskFull: "echo 'fatal: No space left on device' >&2; exit 128",
} as const;

/** A `git` before the real one on the PATH that springs once. */
export interface GitTrap {
	/** Environment for `spar`. */
	readonly env: Readonly<Record<string, string>>;
	/** True once the trap has sprung. */
	readonly sprung: () => boolean;
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
	const trap = join(repo.home, "trap");
	const armed = join(trap, "armed");
	rmSync(trap, { recursive: true, force: true });
	mkdirSync(trap, { recursive: true });
	writeFileSync(armed, "");
	const program = join(trap, "git");
	const lines = [
		"#!/bin/sh",
		FIND_SPAR,
		`TRAP='${trap}'`,
		`if [ -e "$TRAP/armed" ] && { ${condition(moment)}; } && rm "$TRAP/armed" 2>/dev/null; then`,
		action,
		"fi",
		`exec '${REAL}' "$@"`,
	];
	writeFileSync(program, `${lines.join("\n")}\n`);
	chmodSync(program, 0o755);
	return {
		env: { PATH: [trap, repo.env["PATH"] ?? ""].join(delimiter) },
		sprung: () => !existsSync(armed),
		release: () => writeFileSync(join(trap, "go"), ""),
	};
}
