import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { anyCharacter } from "../../test/support/any-character.ts";
import { sha256 } from "../kernel/json.ts";
import {
	advanceSession,
	checkFile,
	type PairPlan,
	type PairRecord,
	type PairSession,
	recordOf,
	sessionText,
	startSession,
} from "./pair-session.ts";

const PLAN: PairPlan = {
	driver: "pe",
	challenger: "architect",
	roleSwitch: "checkpoint",
	checkpoints: [2, "core"],
	maxIterations: 5,
};
const FOUND = { id: "F1", issue: "no refill", severity: "major", state: "open" } as const;
const begin = (runId = "r1", taskId = "limiter"): PairSession =>
	startSession({ runId, taskId }, PLAN);

const after = (session: PairSession, turn: number): PairSession =>
	advanceSession(session, {
		turn,
		summary: `notes “${turn}”`,
		critique: "no tests for refill",
		findings: [FOUND],
		approved: false,
		completedSubtask: turn === 1 ? "core" : null,
	});

const first = recordOf(after(begin(), 1), null);
const second = recordOf(after(first.session, 2), first);
const firstText = sessionText(first.session);
const secondText = sessionText(second.session);

test("the file has the pair session in the form that programs read, with run and task", () => {
	expect(JSON.parse(firstText)).toEqual({
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
					findings: [FOUND],
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
	});
});

test("the digest is that of the whole file", () => {
	expect(first.digest).toBe(sha256(firstText));
	expect(second.previousDigest).toBe(first.digest);
});

test("the file that was written last is sound", () => {
	expect(checkFile(secondText, second)).toBe("sound");
	expect(checkFile(firstText, first)).toBe("sound");
});

test("before the first iteration no file is asked for", () => {
	const record: PairRecord = { session: begin(), digest: null, previousDigest: null };
	for (const text of [null, "{", secondText]) expect(checkFile(text, record)).toBe("sound");
});

test("what a kill between record and file leaves is stale", () => {
	expect(checkFile(null, first)).toBe("stale");
	expect(checkFile(firstText, second)).toBe("stale");
});

test("the same session again keeps the digest of the file before", () => {
	expect(recordOf(second.session, second)).toEqual(second);
});

test("a file of another run is stale, whole or not", () => {
	const text = sessionText(after(begin("r0"), 1));
	expect(checkFile(text, second)).toBe("stale");
	expect(checkFile(text.replace("pe", "eve"), second)).toBe("stale");
});

test("a file that was there and is gone", () => {
	expect(checkFile(null, second)).toBe("gone");
});

const third = recordOf(after(second.session, 3), second);

test.each<[string, string, PairRecord?]>([
	["a file that is two iterations behind", firstText, third],
	["a file that is ahead of the database", sessionText(third.session)],
	["the file of another task", sessionText(after(begin("r1", "other"), 1))],
	["an approval that was written in by hand", secondText.replaceAll("false", "true")],
	["nothing", ""],
	["a half", secondText.slice(0, 300)],
	["deep nesting", "[".repeat(200_000)],
	["closed deep nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
	["a number", "1"],
	["null", "null"],
	["a run that is no text", secondText.replace('"r1"', "1")],
	["no run", secondText.replace("run_id", "runs_id")],
	["another layout", JSON.stringify(JSON.parse(secondText))],
])("%s is a change", (_name, text, record = second) => {
	expect(checkFile(text, record)).toBe("changed");
});

thorough("any single change of the file is found, but for one that makes it another run's", () => {
	const position = fc.nat({ max: secondText.length - 1 });
	const piece = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(position, piece, fc.nat({ max: 3 }), (at, inserted, removed) => {
			const changed = secondText.slice(0, at) + inserted + secondText.slice(at + removed);
			fc.pre(changed !== secondText);
			expect(checkFile(changed, second)).not.toBe("sound");
			if (changed.includes('"run_id": "r1"')) expect(checkFile(changed, second)).toBe("changed");
			expect(checkFile(secondText.slice(0, at), second)).toBe("changed");
		}),
		{ numRuns: 300 },
	);
});

test("what no program sees is found as well: a space, a line end, a mark at the start", () => {
	for (const changed of [
		`${secondText} `,
		secondText.replaceAll("\n", "\r\n"),
		`\ufeff${secondText}`,
	])
		expect(checkFile(changed, second)).toBe("changed");
});
