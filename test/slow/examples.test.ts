import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { exampleRepository, runProgram } from "../support/example.ts";
import { spar } from "../support/spar.ts";

const EXAMPLE = "examples/01-rate-limiter";

const cassetteLine = z.object({
	role: z.enum(["player", "coach"]),
	turn: z.int(),
	files: z.record(z.string(), z.string()),
	report: z.object({
		decision: z.string().optional(),
		tests_written: z.array(z.string()).optional(),
		requirements_status: z
			.array(z.object({ criterion: z.string(), met: z.boolean(), tests: z.array(z.string()) }))
			.optional(),
		feedback_items: z
			.array(z.object({ criterion: z.string(), file: z.string(), line: z.int() }))
			.optional(),
	}),
});
const workflow = z.object({
	tasks: z.object({ limiter: z.object({ acceptance_criteria: z.array(z.string()) }) }),
});

const lines = readFileSync(`${EXAMPLE}/cassettes/rate-limiter.jsonl`, "utf8")
	.trimEnd()
	.split("\n")
	.map((line) => cassetteLine.parse(JSON.parse(line)));
const criteria = workflow.parse(parse(readFileSync(`${EXAMPLE}/sparring.yaml`, "utf8"))).tasks
	.limiter.acceptance_criteria;

function recorded(role: "player" | "coach", turn: number): z.infer<typeof cassetteLine> {
	const line = lines.find((each) => each.role === role && each.turn === turn);
	if (line === undefined) throw new Error(`no line for ${role}, turn ${turn}`);
	return line;
}

const roots: string[] = [];

afterEach(() => {
	for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** The names of the example's test cases by result, with these files written over it. */
function testCases(files: Readonly<Record<string, string>>): Record<"passed" | "failed", string[]> {
	const root = mkdtempSync(join(tmpdir(), "spar-example-"));
	roots.push(root);
	cpSync(EXAMPLE, root, { recursive: true });
	for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
	const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
		cwd: root,
		encoding: "utf8",
	});
	const names = (pattern: RegExp): string[] =>
		[...stdout.matchAll(pattern)].map(([, name]) => name ?? "");
	return { passed: names(/^ok \d+ - (.+)$/gm), failed: names(/^not ok \d+ - (.+)$/gm) };
}

test("the example's own tests pass as it is and after each recorded turn", () => {
	const results = [{}, recorded("player", 1).files, recorded("player", 2).files].map(testCases);
	expect(results.map(({ passed, failed }) => [passed.length, failed.length])).toEqual([
		[4, 0],
		[6, 0],
		[8, 0],
	]);
});

test("the first turn misses exactly the criteria that the coach calls unmet", () => {
	const first = recorded("player", 1).files;
	const second = recorded("player", 2).files;
	const { failed } = testCases({ ...second, "src/limiter.js": first["src/limiter.js"] ?? "" });
	const unmet = recorded("coach", 1).report.requirements_status?.filter(({ met }) => !met);
	expect(failed).toEqual(unmet?.map(({ criterion }) => criterion));
	expect(failed).toHaveLength(2);
});

test("the coach judges each criterion of the workflow file, and names tests that ran", () => {
	for (const turn of [1, 2]) {
		const judged = recorded("coach", turn).report.requirements_status ?? [];
		expect(judged.map(({ criterion }) => criterion)).toEqual(criteria);
		const { passed } = testCases(recorded("player", turn).files);
		for (const { met, tests } of judged) {
			expect(passed).toEqual(expect.arrayContaining(tests));
			expect(tests.length > 0).toBe(met);
		}
	}
});

test("each finding points at the line that it speaks of", () => {
	const { files } = recorded("player", 1);
	const places = recorded("coach", 1).report.feedback_items ?? [];
	expect(places.map(({ file, line }) => files[file]?.split("\n")[line - 1]?.trim())).toEqual([
		"tokens += ((now - refilledAt) / 1000) * refillPerSecond;",
		"export function createLimiter({ burst, refillPerSecond, clock = systemClock }) {",
	]);
});

const taskEnd = z.object({ success: z.boolean(), turns: z.int(), merged: z.boolean() });
const runEnd = z.object({ branch: z.string(), tasks: z.record(z.string(), taskEnd) });

thorough("two at once: both tasks change one file, and the third builds on both", async () => {
	const repo = exampleRepository("02-two-at-once");
	const { code, stdout, stderr } = await spar(repo, ["run", "--json"]);
	expect([code, stderr]).toEqual([0, expect.stringMatching(/^card: +merged/m)]);
	const { branch, tasks } = runEnd.parse(JSON.parse(stdout));
	const done = { success: true, turns: 1, merged: true };
	expect(tasks).toEqual({ slug: done, reading: done, card: done });
	const source = repo.git("show", `${branch}:src/text.js`);
	expect(source).toContain('replace(/-$/, "")');
	expect(source).toContain("Math.ceil");
	const began = stderr.search(/^card: +player/m);
	for (const id of ["slug", "reading"]) {
		const landed = stderr.search(new RegExp(`^${id}: +merged`, "m"));
		expect(landed).toBeGreaterThan(0);
		expect(landed).toBeLessThan(began);
	}
});

test("a dispute: the tie-breaker overrules the coach, and the work merges", async () => {
	const repo = exampleRepository("03-dispute");
	const { code, stdout, stderr } = await spar(repo, ["run", "--json"]);
	expect([code, stderr]).toEqual([0, expect.stringContaining("overruled: F1")]);
	expect(runEnd.parse(JSON.parse(stdout)).tasks).toEqual({
		backoff: { success: true, turns: 2, merged: true },
	});
	expect(stderr).toContain("the tie-breaker arbiter takes the player's side");
});

thorough("a team: the program prints what its README says", async () => {
	const repo = exampleRepository("04-a-team");
	const { code, stdout, stderr } = await runProgram(repo, "team.ts");
	const [, shown = ""] = /```text\n([\s\S]*?)```/.exec(repo.read("README.md") ?? "") ?? [];
	const sorted = (text: string): string[] => text.trim().split("\n").toSorted();
	expect([code, stderr, sorted(stdout)]).toEqual([0, "", sorted(shown)]);
	expect(shown).not.toBe("");
});

test("each example is listed", () => {
	const page = readFileSync("examples/README.md", "utf8");
	const folders = globSync("examples/*/").map((folder) => basename(folder));
	expect(folders.length).toBeGreaterThan(3);
	expect(folders.filter((folder) => !page.includes(`](${folder}/README.md)`))).toEqual([]);
});
