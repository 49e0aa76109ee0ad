import { expect, test } from "vitest";
import type { HeardCall, MemoryStep } from "./memory-agents.ts";
import { type MemoryRun, memoryRun } from "./memory-run.ts";
import { APPROVAL, APPROVES, dataOf, textLike } from "./said.ts";

/** Product code that ends the process: code alone cannot say whether that is right. */
const CLI = "export const stop = () => {\n\tprocess.exit(1);\n};\n";
const WRITES: MemoryStep = { role: "player", files: { "stop.js": CLI } };

const shownTo = ({ agents }: MemoryRun, turn: number): unknown =>
	agents.calls.find((call) => call.role === "coach" && call.turn === turn)?.context["suspicions"];

/** A coach's step that answers every suspicion alike. */
function answers(
	ok: boolean,
	{ turn, decision = "approve" }: { turn?: number; decision?: string } = {},
) {
	const reason = "it ends the runner";
	return {
		role: "coach" as const,
		...(turn === undefined ? {} : { turn }),
		reportOf: ({ context }: HeardCall) => ({
			...APPROVAL,
			decision,
			// As the context of a coach has them.
			suspicions_status: (context["suspicions"] as { id: string }[]).map(({ id }) => ({
				id,
				ok,
				reason,
			})),
		}),
	};
}
const ANSWERED = {
	file: "stop.js",
	line: 2,
	rule: "ends_process",
	ok: true,
	reason: "it ends the runner",
	by: "coach",
};

test("an approval that says nothing of a suspicion does not merge", async () => {
	const set = memoryRun({ steps: [WRITES, APPROVES], task: { max_turns: 1 } });
	const { task } = await set.run();
	expect(task).toMatchObject({ success: false, merged: false, challenger_approved: false });
	expect(shownTo(set, 1)).toMatchObject([
		{ rule: "ends_process", file: "stop.js", line: 2, text: "+ process.exit(1);" },
	]);
	expect(dataOf(await set.trace(), "turn-judged")).toMatchObject([
		{
			raw: "approve",
			effective: "feedback",
			reasons: [textLike(/^suspicion s-\w+ at stop\.js:2 /)],
		},
	]);
});

test("an answered suspicion merges, and trace and gate report hold place, answer and reason", async () => {
	const set = memoryRun({ steps: [WRITES, answers(true)], task: { max_turns: 2 } });
	expect((await set.run()).task).toMatchObject({ success: true, merged: true, turns: 1 });
	expect(dataOf(await set.trace(), "suspicions-answered")).toMatchObject([
		{ suspicions: [ANSWERED] },
	]);
	const report: unknown = JSON.parse(set.shared("state/gate-reports/one.json") ?? "");
	expect(report).toMatchObject({ suspicions: [ANSWERED] });
});

test("a refused suspicion is a major finding, once, and closes when its place is gone", async () => {
	const set = memoryRun({
		steps: [
			{ ...WRITES, turn: 1 },
			{ role: "player", turn: 2, files: { "work.txt": "more\n" } },
			{ role: "player", files: { "stop.js": "export const stop = () => 1;\n" } },
			answers(false, { turn: 1 }),
			answers(false, { turn: 2 }),
			APPROVES,
		],
		task: { max_turns: 3 },
	});
	expect((await set.run()).task).toMatchObject({ success: true, turns: 3, open_findings: 0 });
	expect(shownTo(set, 2)).toEqual(shownTo(set, 1));
	const changes = dataOf(await set.trace(), "finding-changed");
	expect(changes.map(({ finding, state, severity }) => [finding, state, severity])).toEqual([
		["F1", "open", "major"],
		["F1", "fixed", "major"],
	]);
});

test("an answer holds while the place is as it was, and is asked for again when it changed", async () => {
	const there = CLI.replace("() => {", "() => {\n\t// at once");
	const set = memoryRun({
		steps: [
			{ ...WRITES, turn: 1 },
			{ role: "player", turn: 2, files: { "other.txt": "2\n" } },
			{ role: "player", files: { "stop.js": there } },
			...[1, 2].map((turn) => answers(true, { turn, decision: "feedback" })),
			answers(true),
		],
		task: { max_turns: 3 },
	});
	expect((await set.run()).task).toMatchObject({ success: true, turns: 3 });
	expect(shownTo(set, 2)).toEqual([]);
	expect(shownTo(set, 3)).toMatchObject([{ rule: "ends_process" }]);
});

test("answers outlive a process that is killed", async () => {
	const set = memoryRun({
		steps: [
			{ ...WRITES, turn: 1 },
			{ role: "player", files: { "work.txt": "more\n" } },
			answers(true, { turn: 1, decision: "feedback" }),
			APPROVES,
		],
		task: { max_turns: 2 },
	});
	await set.killedAt(({ type, turn }) => type === "agent-called" && turn === 2);
	expect((await set.run()).task).toMatchObject({ success: true, merged: true });
	expect(shownTo(set, 2)).toEqual([]);
});

const ALONE = { overlays: {} };

test("without a coach a suspicion asks a person, whose word merges the work", async () => {
	const set = memoryRun({ steps: [WRITES], task: ALONE, human: true });
	const { code, task } = await set.run();
	expect({ code, task }).toMatchObject({ code: 3, task: { turns: 1, merged: false } });
	expect(await set.question()).toMatchObject({
		trigger: "suspicion",
		context: { suspicions: [{ file: "stop.js", line: 2, ok: null, text: "+ process.exit(1);" }] },
	});
	await set.answer({ take: "developer", notes: "it is a command" });
	expect((await set.run()).task).toMatchObject({ success: true, merged: true, turns: 1 });
	expect(dataOf(await set.trace(), "suspicions-answered")).toMatchObject([
		{ suspicions: [{ ok: true, reason: "it is a command", by: "person" }] },
	]);
});

test("without a coach and with people off the task fails with the flag", async () => {
	const { code, task } = await memoryRun({ steps: [WRITES], task: ALONE }).run();
	expect({ code, task }).toMatchObject({
		code: 1,
		task: { success: false, merged: false, flags: ["suspicion"] },
	});
	expect(task.failure_reason).toMatch(
		/^Escalated for human review: .*s-\w+ at stop\.js:2 \(product code that ends the process/,
	);
});
