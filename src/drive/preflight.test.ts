import { expect, test } from "vitest";
import { decidePreflight, settlePreflight } from "./preflight.ts";
import {
	type PreflightProblem,
	preflightText,
	type SeatProblem,
	weightOf,
} from "./preflight-problem.ts";
import { lostTasks } from "./seats-preflight.ts";

const seat = (part: Partial<SeatProblem> = {}): SeatProblem => ({
	kind: "seat",
	agent: "dev",
	isNeeded: true,
	isMissing: true,
	why: "agent dev needs the program dev, which is not on the PATH",
	fix: "Install it.",
	...part,
});
const check = { kind: "check", check: "tests", why: "exit code 1", said: ["No pytest"] } as const;
const setup = { kind: "setup", why: "npm ci ended with exit code 1", said: [] } as const;
const red = {
	kind: "all_fail",
	check: "tests",
	cases: 2,
	said: ["a: 1 is not 2"],
	packages: [],
} as const;
const unclear = { kind: "unclear", check: "tests", why: "no results", said: [] } as const;
const lacking = {
	kind: "lacking",
	check: "tests",
	cases: ["price"],
	said: ["no .env"],
	variables: [],
	home: [],
	paths: [".env", "fixtures/"],
	by: "copy",
} as const;
const redTests = {
	kind: "red",
	check: "tests",
	isTests: true,
	why: "exit code 1",
	said: ["no"],
} as const;
const redLint = { ...redTests, check: "lint", isTests: false } as const;
const uncounted = {
	kind: "uncounted",
	check: "tests",
	what: "1 known failing (a)",
} as const;
const empty = { kind: "no_tests", check: "tests" } as const;
const gate = {
	kind: "gate",
	tier: "T2",
	tasks: ["a", "b"],
	why: "there is no lint check",
} as const;

test.each([
	[[], "proceed", "proceed"],
	[[empty], "proceed", "proceed"],
	[[seat({ isNeeded: false })], "proceed", "proceed"],
	[[red], "ask", "proceed"],
	[[unclear], "ask", "proceed"],
	[[redTests], "ask", "proceed"],
	[[redLint], "ask", "refuse"],
	[[lacking], "ask", "refuse"],
	[[uncounted], "proceed", "proceed"],
	[[check], "ask", "refuse"],
	[[setup], "ask", "refuse"],
	[[seat()], "ask", "refuse"],
	[[gate], "ask", "refuse"],
	[[empty, red, check], "ask", "refuse"],
] as [PreflightProblem[], string, string][])(
	"%j is decided as %s with a person there, and as %s without",
	(problems, asked, alone) => {
		expect(decidePreflight(problems, { anyway: false, canAsk: true })).toBe(asked);
		expect(decidePreflight(problems, { anyway: false, canAsk: false })).toBe(alone);
		for (const canAsk of [true, false])
			expect(decidePreflight(problems, { anyway: true, canAsk })).toBe("proceed");
	},
);

/** Settles with what a person answers; undefined: nobody is there. */
async function settle(
	problems: readonly PreflightProblem[],
	{ answer, people = true, anyway }: { answer?: boolean; people?: boolean; anyway?: boolean } = {},
) {
	const told: string[] = [];
	const asked: string[] = [];
	const onPreflight = (open: readonly PreflightProblem[]): Promise<boolean> => {
		asked.push(...open.map(({ kind }) => kind));
		return Promise.resolve(answer ?? false);
	};
	const onNotice = (text: string): void => void told.push(text);
	const supervision =
		answer === undefined ? { onNotice, anyway } : { onNotice, onPreflight, anyway };
	const outcome = await settlePreflight({ problems, supervision, people, hint: "Again." }).catch(
		(error: unknown) => error,
	);
	return { outcome, told, asked };
}

test("with nobody to ask it is refused by its causes, and notices are told all the same", async () => {
	const { outcome, told } = await settle([empty, check, setup]);
	expect(outcome).toMatchObject({
		code: "preflight-refused",
		message:
			'check tests could not run: "No pytest" (exit code 1)\nsetup failed: npm ci ended with exit code 1',
		hint: "No agent was called.\nAgain.",
	});
	expect(told).toEqual(["check tests finds no tests yet, as in a new project"]);
});

test("what later turns will not count is told where there will be some, and last", async () => {
	const words = preflightText(uncounted);
	expect((await settle([uncounted, lacking])).told).toEqual([]);
	expect((await settle([uncounted, lacking], { answer: false })).told).toEqual([]);
	expect((await settle([uncounted, lacking], { answer: true })).told).toEqual([words]);
	const { told } = await settle([uncounted, lacking], { anyway: true });
	expect(told).toEqual([preflightText(lacking), words]);
});

test("a person decides about what is in the way, and is not asked about notices", async () => {
	expect(await settle([empty, check, red], { answer: true })).toMatchObject({
		outcome: "went_on",
		asked: ["check", "all_fail"],
	});
	expect(await settle([red], { answer: false })).toMatchObject({
		outcome: { code: "preflight-refused" },
	});
});

test("with people off nobody is asked: red cases are told, what blocks is refused", async () => {
	expect(await settle([red], { answer: true, people: false })).toEqual({
		outcome: "went_on",
		told: ['all 2 test cases fail before any work: "a: 1 is not 2"'],
		asked: [],
	});
	expect(await settle([check], { answer: true, people: false })).toMatchObject({
		outcome: { code: "preflight-refused" },
		asked: [],
	});
});

test("anyway tells all of it and goes on; without anything in the way it is clear", async () => {
	const { outcome, told } = await settle([seat(), check], { anyway: true });
	expect(outcome).toBe("went_on");
	expect(told).toHaveLength(2);
	expect(told[0]).toBe("agent dev needs the program dev, which is not on the PATH. Install it.");
	expect(await settle([])).toMatchObject({ outcome: "clear" });
	expect(await settle([empty])).toMatchObject({ outcome: "clear" });
});

test("one case is not many", () => {
	expect(
		preflightText({ kind: "all_fail", check: "tests", cases: 1, said: [], packages: [] }),
	).toBe("the only test case fails before any work");
	expect(weightOf(red)).toBe("doubtful");
});

test("a task is lost when one of its seats lacks something, and so does whatever stands in", () => {
	// Only what the function reads of a workflow.
	const workflow = {
		agents: {
			dev: { name: "dev", adapter: "command", run: ["dev"], env: [], timeoutMs: 1 },
			rev: { name: "rev", adapter: "command", run: ["r"], env: [], timeoutMs: 1, fallback: "dev" },
			ok: { name: "ok", adapter: "command", run: ["ok"], env: [], timeoutMs: 1 },
		},
		tasks: [
			{ id: "a", player: "dev" },
			{ id: "b", player: "ok", pair: { challenger: "rev" } },
			{ id: "c", player: "ok" },
		],
	} as unknown as Parameters<typeof lostTasks>[0];
	const rev = seat({ agent: "rev", why: "rev is gone" });
	expect([...lostTasks(workflow, [rev])]).toEqual([]);
	expect([...lostTasks(workflow, [rev, seat()])]).toEqual([
		["a", "agent dev needs the program dev, which is not on the PATH"],
		["b", "rev is gone"],
	]);
	// A sign-in that is doubted may work.
	expect([...lostTasks(workflow, [seat({ isMissing: false })])]).toEqual([]);
});

test("what the checkouts lack is told with what gives it to them", () => {
	expect(preflightText(lacking)).toBe(
		'check tests: 1 test passes where you work and not in Sparring\'s checkouts: price ("no .env"); they lack .env, fixtures/, which git ignores: add copy: [".env", "fixtures/"] to the workflow file, or make it in setup',
	);
	expect(preflightText({ ...lacking, paths: ["node_modules/"], by: "setup" })).toContain(
		"they lack node_modules/, which git ignores: make it in setup",
	);
	expect(preflightText({ ...lacking, paths: [] })).toMatch(/\); nothing that they lack was found/);
	expect(preflightText({ ...lacking, paths: ["dist/"], by: "build" })).toContain(
		"build it in the command of the check",
	);
	expect(preflightText(redLint)).toBe(
		'check lint fails before any work, and would in each turn: "no" (exit code 1)',
	);
	expect(preflightText(uncounted)).toBe(
		"check tests, before any work: 1 known failing (a); later turns do not count them",
	);
});

test("a gate that can pass no work is told with the tasks that it is of", () => {
	expect(preflightText(gate)).toBe(
		"a gate of tier T2 cannot pass: there is no lint check; tasks: a, b",
	);
});
