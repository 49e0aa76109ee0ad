import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../kernel/json.ts";
import { advanceSession } from "./advance-session.ts";
import { checkSession, fileSession, type PairRecord, type SessionCheck } from "./check-session.ts";
import { type PairPlan, type PairSession, startSession } from "./pair-session.ts";
import { MAX_SESSION_FILE, readSessionFile, sessionFile } from "./session-file.ts";

const PLAN: PairPlan = {
	driver: "pe",
	challenger: "architect",
	roleSwitch: "checkpoint",
	checkpoints: [2, "core"],
	maxIterations: 5,
};
const begin = (runId = "r1", taskId = "limiter"): PairSession =>
	startSession({ runId, taskId }, PLAN);

const after = (session: PairSession, turn: number): PairSession =>
	advanceSession(session, {
		turn,
		summary: `notes “${turn}”`,
		critique: "no tests for refill",
		approved: false,
		completedSubtask: turn === 1 ? "core" : null,
	});

const first = fileSession(after(begin(), 1), null);
const second = fileSession(after(first.record.session, 2), first.record);
const check = (text: string | null, record: PairRecord = second.record): SessionCheck =>
	checkSession(text, record, PLAN);
const problemsOf = (result: SessionCheck): string =>
	result.kind === "corrupt" ? result.problems.join("\n") : `not corrupt but ${result.kind}`;

test("the file has the pair session in the form that programs read, with run, task and digest", () => {
	expect(JSON.parse(first.text)).toEqual({
		pair_session: {
			driver_agent: "pe",
			challenger_agent: "architect",
			current_role_driver: "architect",
			role_switch: "checkpoint",
			checkpoints: [2, "core"],
			iteration: 1,
			max_iterations: 5,
			history: [
				{
					iteration: 1,
					driver_output_summary: "notes “1”",
					challenger_critique: "no tests for refill",
					challenger_approved: false,
					turn: 1,
					driver_agent: "pe",
					completed_subtask: "core",
				},
			],
			challenger_approved: false,
		},
		run_id: "r1",
		task_id: "limiter",
		digest: first.record.digest,
	});
});

test("the digest is that of the text with an empty digest", () => {
	const digest = String(first.record.digest);
	expect(sha256(first.text.replace(`"${digest}"`, '""'))).toBe(digest);
});

test("what was written is read again", () => {
	expect(readSessionFile(second.text)).toEqual({
		kind: "intact",
		session: second.record.session,
		digest: second.record.digest,
	});
});

test("the file that was written last is sound", () => {
	expect(check(second.text)).toEqual({ kind: "sound" });
	expect(check(first.text, first.record)).toEqual({ kind: "sound" });
});

test("before the first iteration no file is asked for", () => {
	const record: PairRecord = { session: begin(), digest: null, previousDigest: null };
	for (const text of [null, "{", second.text]) {
		expect(check(text, record)).toEqual({ kind: "sound" });
	}
});

test("a kill between record and file is no corruption", () => {
	expect(check(null, first.record)).toEqual({ kind: "rewrite", why: "missing" });
	expect(check(first.text)).toEqual({ kind: "rewrite", why: "behind" });
});

test("the same session filed again keeps the digest of the file before", () => {
	expect(fileSession(second.record.session, second.record)).toEqual(second);
});

test("a file of another run is written anew", () => {
	const { text } = sessionFile(after(begin("r0"), 1));
	expect(check(text)).toEqual({ kind: "rewrite", why: "foreign" });
});

test("a file that was there and is gone is corruption", () => {
	expect(problemsOf(check(null))).toBe("the session file is gone");
});

test("a file that is two iterations behind is corruption, told by its differences", () => {
	const third = fileSession(after(second.record.session, 3), second.record);
	const problems = problemsOf(check(first.text, third.record));
	expect(problems).toContain("not the one that was written last");
	expect(problems).toContain("iteration is 1 in the file and 3 in the database");
	expect(problems).toContain("iteration 2 of the history is not the one in the database");
});

test("a file that is ahead of the database is corruption", () => {
	const { text } = sessionFile(after(second.record.session, 3));
	expect(problemsOf(check(text))).toContain("iteration 3 of the history is not the one in");
});

test("the file of another task is corruption", () => {
	const { text } = sessionFile(after(begin("r1", "other"), 1));
	expect(problemsOf(check(text))).toBe("the file is that of task other");
});

test("an approval that was written in by hand is named", () => {
	const forged = second.text.replaceAll(
		'"challenger_approved": false',
		'"challenger_approved": true',
	);
	const problems = problemsOf(check(forged));
	expect(problems).toContain("changed after it was written");
	expect(problems).toContain("challenger_approved is true in the file and false in the database");
});

test("a forged file with a digest of its own is corruption all the same", () => {
	const forged = sessionFile({ ...second.record.session, challengerApproved: true });
	expect(problemsOf(check(forged.text))).toContain("not the one that was written last");
});

test("a stored session that does not hold together is corruption with a sound file too", () => {
	const damaged = { ...second.record.session, iteration: 7 };
	const record = fileSession(damaged, first.record).record;
	expect(problemsOf(check(sessionFile(damaged).text, record))).toBe(
		"iteration is 7, the history has 2",
	);
	expect(problemsOf(check("x", record))).toMatch(/iteration is 7.*\n.*no JSON/);
});

const edited = (change: (content: Record<string, unknown>) => unknown): string => {
	// The file that is parsed is ours, and its top is an object.
	const content = JSON.parse(second.text) as Record<string, unknown>;
	return JSON.stringify(change(content));
};
const within = (change: Record<string, unknown>): string =>
	edited((content) => ({
		...content,
		pair_session: Object.assign({}, content["pair_session"], change),
	}));
const entry = {
	iteration: 1,
	turn: 1,
	driver_agent: "pe",
	driver_output_summary: "",
	challenger_critique: "",
	challenger_approved: false,
	completed_subtask: null,
};

test.each<[string, string, RegExp]>([
	["nothing", "", /no JSON/],
	["a half", second.text.slice(0, 300), /no JSON/],
	["deep nesting", "[".repeat(200_000), /no JSON/],
	["closed deep nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`, /no pair session/],
	["a huge text", " ".repeat(MAX_SESSION_FILE + 1), /more than 32 million characters/],
	["a number", "1", /no pair session/],
	["null", "null", /no pair session/],
	["a list", "[]", /no pair session/],
	["no run", edited((content) => ({ ...content, run_id: 1 })), /no pair session/],
	["no task", edited((content) => ({ ...content, task_id: null })), /no pair session/],
	["no session", edited((content) => ({ ...content, pair_session: "x" })), /no pair session/],
	["a driver that is no name", within({ driver_agent: {} }), /no pair session/],
	[
		"an endless count",
		second.text.replace('"iteration": 2', '"iteration": 1e999'),
		/no pair session/,
	],
	["another switch", within({ role_switch: "always" }), /no pair session/],
	["points that are none", within({ checkpoints: [null] }), /no pair session/],
	["no list of points", within({ checkpoints: "2" }), /no pair session/],
	["no history", within({ history: {} }), /no pair session/],
	["an entry that is none", within({ history: [1] }), /no pair session/],
	["an entry without a turn", within({ history: [{ ...entry, turn: "1" }] }), /no pair session/],
	["an entry without a text", within({ history: [{ ...entry, driver_agent: 1 }] }), /no pair/],
	["a strange subtask", within({ history: [{ ...entry, completed_subtask: 1 }] }), /no pair/],
	["no digest", edited(({ digest: _gone, ...content }) => content), /not end with its digest/],
	["another layout", edited((content) => content), /not end with its digest/],
])("%s is corruption with a reason", (_name, text, reason) => {
	expect(problemsOf(check(text))).toMatch(reason);
});

test("any single change of the file is found", () => {
	const { text } = second;
	const position = fc.nat({ max: text.length - 1 });
	const piece = fc.string({ unit: "binary", minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(position, piece, fc.nat({ max: 3 }), (at, inserted, removed) => {
			const changed = text.slice(0, at) + inserted + text.slice(at + removed);
			fc.pre(changed !== text);
			expect(check(changed).kind).toBe("corrupt");
			expect(check(text.slice(0, at)).kind).toBe("corrupt");
			expect(check(text.slice(0, at) + text.slice(at + 1)).kind).toBe("corrupt");
		}),
		{ numRuns: 300 },
	);
});

test("what no program sees is found as well: a space, a line end, a mark at the start", () => {
	for (const changed of [
		`${second.text} `,
		second.text.replaceAll("\n", "\r\n"),
		`\ufeff${second.text}`,
	])
		expect(check(changed).kind).toBe("corrupt");
});
