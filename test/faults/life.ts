import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitTrap } from "../support/git-trap.ts";
import type { TestRepository } from "../support/repository.ts";
import { type SparResult, sparProcess } from "../support/spar.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Strike, trapAction } from "./faults.ts";
import { textOf, whereItStands, world } from "./world.ts";

/** More processes than any life needs: what takes longer is wedged. */
const MOST_ROUNDS = 14;

/** How a life ended, with all that was said on the way. */
export interface Life {
	readonly repo: TestRepository;
	/** `landed`; `gone`: its state was removed, or merged work was damaged, and that was said; `wedged`. */
	readonly end: "landed" | "gone" | "wedged";
	/** Each command with its exit code and what it wrote to standard error. */
	readonly log: readonly string[];
	/** Ends that were not explained: a crash, a stack, or a failure without a word. */
	readonly unexplained: readonly string[];
	/** For each command that was to be struck, whether it was. */
	readonly struck: readonly boolean[];
	/** Files of the user's that were changed on the way: path and a text that it must still hold. */
	readonly kept: ReadonlyMap<string, string>;
}

const CLOCK = join(import.meta.dirname, "clock.mjs");

/** Runs a command; `struck` gets whether the strike on it, if there is one, struck. */
async function runUnder(
	repo: TestRepository,
	args: readonly string[],
	strike: Strike | undefined,
	struck: boolean[],
): Promise<SparResult> {
	if (strike === undefined) return sparProcess(repo, args);
	const trap = gitTrap(repo, { nth: strike.nth }, trapAction(strike, repo.root));
	const env = { ...trap.env, SPAR_TEST_CLOCK_MS: `${strike.clockMs}` };
	const result = await sparProcess(repo, args, { env, preload: CLOCK });
	await waitUntil("the fault was done", () => !trap.isActing());
	struck.push(trap.sprung());
	return result;
}

/** Exit codes with which a command may end, besides being killed by the strike. */
const EXPLAINED = new Set<number | null>([0, 1, 2, 3, 4]);

function isExplained({ code, signal, stderr }: SparResult): boolean {
	if (signal === "SIGKILL") return true;
	if (!EXPLAINED.has(code) || /^\s+at .*:\d+:\d+\)?$/m.test(stderr)) return false;
	return code === 0 || stderr.trim() !== "";
}

/** What a user does who reads the message: nothing that a message does not say. */
function repair(repo: TestRepository, { stderr }: SparResult): void {
	const quietly = (...args: readonly string[]): void => {
		try {
			repo.git(...args);
		} catch {
			// There was nothing to put right.
		}
	};
	quietly("rebase", "--abort");
	quietly("bisect", "reset");
	const linked = join(repo.home, "linked");
	const isLinked = existsSync(linked) && stderr.includes(linked);
	if (/stash/.test(stderr))
		quietly("-C", isLinked ? linked : repo.root, "stash", "--include-untracked");
	quietly("switch", "main");
	if (isLinked) quietly("-C", linked, "switch", "--detach");
	const leave = /git symbolic-ref HEAD refs\/heads\/YOUR-BRANCH && git reset/;
	if (leave.test(stderr)) {
		quietly("symbolic-ref", "HEAD", "refs/heads/main");
		quietly("reset");
	}
	const hint = /git branch -f (\S+) ([0-9a-f]{40})/.exec(stderr);
	if (hint !== null) quietly("branch", "-f", hint[1] ?? "", hint[2] ?? "");
	const rename = /git branch -m (\S+) ([^\s`]+)/.exec(stderr);
	if (rename !== null) quietly("branch", "-m", rename[1] ?? "", rename[2] ?? "");
}

function noteKept(repo: TestRepository, kept: Map<string, string>): void {
	for (const path of ["project/base-a.txt", "moved/base-a.txt", "linked/mine.txt"]) {
		if (textOf(join(repo.home, path)).includes("mine"))
			kept.set(path.replace(/^(?:project|moved)\//, ""), "mine");
	}
	if (textOf(join(repo.root, "user.txt")) !== "") kept.set("user.txt", "user");
}

/** Whether what is left of the run can never be landed, and the command said so. */
function isGone(
	repo: TestRepository,
	command: string,
	{ code, signal, stderr }: SparResult,
): boolean {
	if (/the merged work on .* cannot be read/.test(stderr)) return true;
	const hasState = existsSync(join(repo.root, ".sparring", "sparring.db"));
	// A run that ended before it had begun is simply begun again.
	return !hasState && (command !== "run" || (signal === null && code !== 0));
}

function commandAfter(repo: TestRepository, command: string, code: number | null): string {
	if (command === "land" || code === 0) return "land";
	return existsSync(join(repo.root, ".sparring", "sparring.db")) ? "resume" : "run";
}

/** Takes a run to its landing through the strikes, as a user would who reads what is said. */
export async function lifeUnder(strikes: readonly Strike[]): Promise<Life> {
	let repo = world();
	const objects = globSync(".git/objects/??/*", { cwd: repo.root });
	writeFileSync(join(repo.home, "objects-before"), `${objects.join("\n")}\n`);
	const log: string[] = [];
	const unexplained: string[] = [];
	const kept = new Map<string, string>();
	const struck: boolean[] = [];
	const about = { log, unexplained, struck, kept };
	let command = "run";
	for (let round = 0; round < MOST_ROUNDS; round += 1) {
		const result = await runUnder(repo, [command], strikes[round], struck);
		const said = `spar ${command}: ${result.code ?? result.signal}\n${result.stderr}`;
		log.push(said);
		if (!isExplained(result)) unexplained.push(said);
		repo = whereItStands(repo);
		noteKept(repo, kept);
		if (isGone(repo, command, result)) return { repo, end: "gone", ...about };
		if (command === "land" && result.code === 0) return { repo, end: "landed", ...about };
		if (result.code !== 0) repair(repo, result);
		command = commandAfter(repo, command, result.code);
	}
	return { repo, end: "wedged", ...about };
}
