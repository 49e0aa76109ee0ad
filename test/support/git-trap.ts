import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestRepository } from "./repository.ts";

/** What happens to the first matching git command of a run. */
export type Trap =
	/** Its parent is killed before git begins. */
	| "kill-parent"
	/** Its parent is killed, and git begins once `release` was called: a child that outlives its parent. */
	| "kill-parent-and-wait"
	/** git says that the disk is full. */
	| "disk-full";

/** A `git` before the real one on the PATH that springs once. */
export interface GitTrap {
	/** Environment for `spar`. */
	readonly env: Readonly<Record<string, string>>;
	/** True once the trap has sprung. */
	readonly sprung: () => boolean;
	/** Lets a waiting git go on. */
	readonly release: () => void;
}

/**
 * Sets a trap for the first git command whose arguments hold a word, such as `add` or `read-tree`.
 *
 * @param at a pattern of `case` in the shell, matched against all arguments, such as `"* add --all *"`
 */
export function gitTrap(repo: TestRepository, at: string, trap: Trap): GitTrap {
	const bin = join(repo.home, "trap");
	const armed = join(bin, "armed");
	const go = join(bin, "go");
	const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
	const actions: Record<Trap, string> = {
		"kill-parent": "kill -9 $PPID; exit 1",
		"kill-parent-and-wait": `kill -9 $PPID; while [ ! -e '${go}' ]; do sleep 0.02; done`,
		"disk-full": "echo 'fatal: No space left on device' >&2; exit 128",
	};
	mkdirSync(bin, { recursive: true });
	writeFileSync(armed, "");
	rmSync(go, { force: true });
	writeFileSync(
		join(bin, "git"),
		`#!/bin/sh\ncase " $* " in ${at.replaceAll(" ", "\\ ")}) if rm '${armed}' 2>/dev/null; then ${actions[trap]}; fi;; esac\nexec '${real}' "$@"\n`,
	);
	chmodSync(join(bin, "git"), 0o755);
	return {
		env: { PATH: [bin, repo.env["PATH"] ?? ""].join(delimiter) },
		sprung: () => !existsSync(armed),
		release: () => writeFileSync(go, ""),
	};
}
