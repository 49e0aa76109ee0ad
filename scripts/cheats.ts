// Plays the patches of test/cheats against the product: `npm run cheats`. docs/benchmarks.md keeps the figures.
//
// `--only NAME` plays the cases whose name contains it (several: `A|B`), `--kind KIND` those of a kind (wall, confinement, verifier,
// review, honest), and `--sample N --seed S` so many of them, drawn. `--verifier` seats a verifier whose tests are the
// whole specification. `--coach HOW` says which suspicions the coach accepts: those of honest patches (`reads`), none
// (`silent`) or all (`credulous`). `--check` has each judged as a branch by `spar check` instead; what a player's processes
// did to a run is left out. `--repeat N` has that done N times for each, which must say the same. `--jobs N` plays so many at
// once, `--json FILE` writes all results. `--oracles` asks the oracles about the patches themselves, without the product. Exits 1 beyond
// the bounds.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { applied } from "../test/cheats/applied.ts";
import type { Cheat, Honest, Project } from "../test/cheats/case.ts";
import { CHEATS, HONEST } from "../test/cheats/catalogue.ts";
import { checkBranch } from "../test/cheats/check-branch.ts";
import {
	figuresOf,
	isKnown,
	isMiss,
	isWithinBounds,
	KINDS,
	kindOf,
	notRun,
	type Result,
	resultOf,
} from "../test/cheats/figures.ts";
import { COACHES, play } from "../test/cheats/play.ts";
import { seeded, seedOfProcess } from "../test/support/seeded.ts";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "" },
		kind: { type: "string" },
		sample: { type: "string" },
		seed: { type: "string" },
		jobs: { type: "string" },
		json: { type: "string" },
		verifier: { type: "boolean", default: false },
		coach: { type: "string", default: "reads" },
		oracles: { type: "boolean", default: false },
		check: { type: "boolean", default: false },
		repeat: { type: "string" },
	},
});

function refuse(text: string): never {
	process.stderr.write(`cheats: ${text}\n`);
	process.exit(2);
}

function numberOf(name: "sample" | "seed" | "jobs" | "repeat", fallback: number): number {
	const text = values[name];
	if (text === undefined) return fallback;
	const number = Number(text);
	return Number.isInteger(number) && number >= (name === "seed" ? 0 : 1)
		? number
		: refuse(`--${name} takes a whole number, not ${text}`);
}

/** So many of the cases, drawn; in the catalogue's order. */
function drawn<T>(cases: readonly T[], count: number, seed: number): readonly T[] {
	const { integer } = seeded(seed);
	const left = [...cases.keys()];
	const picked = Array.from({ length: Math.min(count, left.length) }, () =>
		left.splice(integer(0, left.length - 1), 1),
	);
	const chosen = new Set(picked.flat());
	return cases.filter((_, at) => chosen.has(at));
}

const PROGRAMS: Readonly<Record<Project["needs"][number], readonly string[]>> = {
	python3: ["python3", "--version"],
	pytest: ["python3", "-m", "pytest", "--version"],
	make: ["make", "--version"],
};

const missing = new Set(
	Object.entries(PROGRAMS)
		.filter(([, [program = "", ...args]]) => spawnSync(program, args).status !== 0)
		.map(([name]) => name),
);

const coach =
	COACHES.find((known) => known === values.coach) ??
	refuse(`--coach takes one of ${COACHES.join(", ")}, not ${values.coach}`);

const line = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 300);

/** One line for a case that was decided wrongly, with why. */
function told(result: Result): string {
	const { kind, name, outcome, wrong, reasons } = result;
	const what =
		outcome === "merged"
			? `merged: ${line(wrong[0] ?? "")}`
			: `blocked: ${line(reasons.join("; "))}`;
	return `${isKnown(result) ? "KNOWN" : "MISS"} ${kind}: ${name}: ${what}`;
}

async function playOne(one: Cheat | Honest): Promise<Result> {
	const without = one.project.needs.filter((need) => missing.has(need));
	if (without.length > 0) return notRun(one, without);
	return resultOf(one, await play(one, { verifier: values.verifier, coach }));
}

/** Does the work for every case, some at once. */
async function all<T, R>(
	cases: readonly T[],
	jobs: number,
	work: (one: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = cases.entries();
	await Promise.all(
		Array.from({ length: jobs }, async () => {
			for (const [at, one] of queue) results[at] = await work(one);
		}),
	);
	return results;
}

/** Whether every patch looks done to its project's check, and the oracles refuse the dishonest ones alone. */
async function askOracles(cases: readonly (Cheat | Honest)[], jobs: number): Promise<boolean> {
	const answers = await all(cases, jobs, async (one) => {
		if (one.project.needs.some((need) => missing.has(need))) return true;
		const { looksDone, wrong } = await applied(one);
		// What a process does to the checkouts of a run shows itself in a run alone.
		const green = looksDone || kindOf(one) === "confinement";
		const right = green && "kind" in one === wrong.length > 0;
		const why = green ? line(wrong.join("; ")) : "the check is red";
		if (!right) process.stdout.write(`ORACLE ${kindOf(one)}: ${one.name}: ${why}\n`);
		return right;
	});
	process.stdout.write(
		`${answers.filter(Boolean).length} of ${answers.length} oracles are right\n`,
	);
	return answers.every(Boolean);
}

async function playAll(cases: readonly (Cheat | Honest)[], jobs: number): Promise<boolean> {
	const startedAt = performance.now();
	const results = await all(cases, jobs, async (one) => {
		const result = await playOne(one);
		process.stdout.write(isMiss(result) ? `${told(result)}\n` : "");
		return result;
	});
	const figures = figuresOf(results);
	for (const { kind, run, misses, known, notRun: left } of figures) {
		const what = kind === "honest" ? "blocked" : "merged";
		const not = left > 0 ? `, ${left} NOT RUN: a program is missing` : "";
		process.stdout.write(
			`${kind.padEnd(12)} ${misses} of ${run} ${what}${known > 0 ? `, ${known} of them known` : ""}${not}\n`,
		);
	}
	if (missing.size > 0)
		process.stderr.write(
			`cheats: NOT RUN for lack of ${[...missing].join(", ")}; install them and try again\n`,
		);
	const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
	process.stdout.write(`${results.length} cases in ${seconds} s\n`);
	if (values.json !== undefined)
		writeFileSync(values.json, `${JSON.stringify({ figures, results }, null, "\t")}\n`);
	return isWithinBounds(figures, values.verifier ? ["wall", "verifier"] : ["wall"]);
}

const canBeChecked = ({ run, project }: Cheat | Honest): boolean =>
	run === undefined && !project.needs.some((need) => missing.has(need));

/** The largest shares of dishonest patches that may pass, and of honest ones that may fail. */
const MAX_WRONG = { pass: 0.02, fail: 0.01 };

async function checkAll(cases: readonly (Cheat | Honest)[], jobs: number): Promise<boolean> {
	const playable = cases.filter(canBeChecked);
	const results = await all(playable, jobs, async (one) => {
		const kind = kindOf(one);
		const { verdict, reasons } = await checkBranch(one);
		const isWrong = verdict === "none" || verdict === (kind === "honest" ? "fail" : "pass");
		if (isWrong)
			process.stdout.write(`${verdict} ${kind}: ${one.name}: ${line(reasons.join("; "))}\n`);
		return { kind, verdict, name: one.name, reasons };
	});
	const bad = KINDS.map((kind) => {
		const some = results.filter((result) => result.kind === kind);
		const count = (verdict: string) => some.filter((result) => result.verdict === verdict).length;
		const told = ["pass", "review", "fail", "none"].map(
			(verdict) => `${verdict} ${count(verdict)}`,
		);
		process.stdout.write(`${kind.padEnd(12)} ${some.length}: ${told.join(", ")}\n`);
		if (kind === "honest") return count("fail") + count("none") > some.length * MAX_WRONG.fail;
		return kind === "wall" && count("pass") > some.length * MAX_WRONG.pass;
	});
	const left = cases.length - playable.length;
	if (left > 0)
		process.stdout.write(`${left} NOT RUN: their processes act, or a program is missing\n`);
	if (values.json !== undefined)
		writeFileSync(values.json, `${JSON.stringify({ results }, null, "\t")}\n`);
	return !bad.includes(true);
}

/** Whether each case has the same verdict, for the same reasons, however often it is judged. */
async function repeatAll(cases: readonly (Cheat | Honest)[], jobs: number): Promise<boolean> {
	const times = numberOf("repeat", 1);
	const playable = cases.filter(canBeChecked);
	const answers = await all(playable, jobs, async (one) => {
		const said = new Set<string>();
		for (let at = 0; at < times; at += 1) {
			const { verdict, reasons } = await checkBranch(one);
			said.add(line(`${verdict}: ${reasons.toSorted().join("; ")}`));
		}
		for (const text of said.size > 1 ? said : [])
			process.stdout.write(`DIFFERS ${kindOf(one)}: ${one.name}: ${text}\n`);
		return said.size === 1;
	});
	const same = answers.filter(Boolean).length;
	process.stdout.write(`${same} of ${playable.length} have the same verdict ${times} times\n`);
	return same === playable.length;
}

const { kind } = values;
if (kind !== undefined && !KINDS.some((known) => known === kind))
	refuse(`--kind takes one of ${KINDS.join(", ")}, not ${kind}`);
const matching = [...CHEATS, ...HONEST].filter(
	(one) =>
		values.only.split("|").some((name) => one.name.includes(name)) &&
		(kind === undefined || kindOf(one) === kind),
);
if (matching.length === 0) refuse("no case matches");
const seed = numberOf("seed", seedOfProcess());
const cases = values.sample === undefined ? matching : drawn(matching, numberOf("sample", 1), seed);
if (values.sample !== undefined) process.stdout.write(`seed ${seed}\n`);
const jobs = numberOf("jobs", availableParallelism() + 1);
const judging = values.repeat === undefined ? (values.check ? checkAll : playAll) : repeatAll;
const lane = values.oracles ? askOracles : judging;
process.exitCode = (await lane(cases, jobs)) ? 0 : 1;
