import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { processesOf } from "../support/processes.ts";
import { seeded, seedOfProcess } from "../support/seeded.ts";
import { randomStrikes, SURE_COMMANDS } from "./faults.ts";
import { type Life, lifeUnder } from "./life.ts";
import { FILES, filesOf, leftovers, TASKS, textOf } from "./world.ts";

const SEED = seedOfProcess();
const LIVES = Number(process.env["SPAR_FAULTS"] ?? 200);
const PARTS = Math.min(8, LIVES);

/** What a branch may hold: all of the base, and of the tasks and the user whole files. */
function expectTested(life: Life, branch: string): void {
	const files = filesOf(life.repo, branch);
	const allowed = new Set([...Object.keys(FILES), "sparring.yaml", "user.txt"]);
	for (const name of Object.keys(FILES)) expect(Object.keys(files), branch).toContain(name);
	for (const task of TASKS) {
		allowed.add(`${task}.txt`);
		if (files[`${task}.txt`] !== undefined) expect(files[`${task}.txt`]).toBe(task);
	}
	expect(Object.keys(files).filter((name) => !allowed.has(name))).toEqual([]);
	// The second task starts from what the first one merged.
	if (files["two.txt"] !== undefined) expect(files["one.txt"]).toBe("one");
}

/** What the stashes would bring back, untracked files too: `git stash list` does not show those. */
function stashedBy(repo: Life["repo"]): string {
	return repo
		.git("stash", "list", "--format=%gd")
		.split("\n")
		.filter((name) => name !== "")
		.map((name) => repo.git("stash", "show", "--patch", "--include-untracked", name))
		.join("");
}

function expectKept({ repo, kept }: Life): void {
	for (const [path, text] of kept) {
		const places = [join(repo.root, path), join(repo.home, path)];
		expect(`${places.map(textOf).join("")}${stashedBy(repo)}`, path).toContain(text);
	}
}

function judge(life: Life): void {
	expect(life.unexplained).toEqual([]);
	expect(life.end, life.log.join("\n")).not.toBe("wedged");
	expectTested(life, "main");
	expectKept(life);
	expect(processesOf(life.repo)).toEqual([]);
	expect(leftovers(life.repo)).toEqual([]);
	if (life.end !== "landed") return;
	expect(Object.keys(filesOf(life.repo, "main"))).toEqual(
		expect.arrayContaining(TASKS.map((task) => `${task}.txt`)),
	);
}

describe.concurrent(`seed ${SEED}`, () => {
	for (let part = 0; part < PARTS; part += 1) {
		test(`whatever happens when, only what was tested lands, and nothing of the user's is gone (${part + 1})`, async () => {
			for (let at = part; at < LIVES; at += PARTS) {
				const strikes = randomStrikes(seeded(SEED + at));
				const told = strikes.map(
					({ fault, nth, clockMs }) =>
						`${fault.name} at git ${nth}, clock ${clockMs / 3_600_000} h`,
				);
				const life = await lifeUnder(strikes);
				try {
					// A fault that does not happen shows nothing.
					if (strikes[0] !== undefined && strikes[0].nth <= SURE_COMMANDS)
						expect(life.struck[0]).toBe(true);
					judge(life);
				} catch (error) {
					throw new Error(
						// What is wrong stands before the log: a log is long, and whoever prints it may cut it.
						`${String(error)}\nSPAR_TEST_SEED=${SEED + at} SPAR_FAULTS=1: ${told.join("; ")}\n${life.log.join("\n")}`,
						{ cause: error },
					);
				} finally {
					life.repo.remove();
				}
			}
		});
	}
});
