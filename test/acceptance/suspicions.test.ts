import { expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { startSpar } from "../support/spar.ts";
import {
	APPROVAL,
	APPROVES,
	answersSuspicions,
	dataOf,
	type Play,
	type Stage,
	stage,
} from "./stage.ts";

/** Product code that ends the process: code alone cannot say whether that is right. */
const CLI = "export const stop = () => {\n\tprocess.exit(1);\n};\n";
const WRITES = { role: "player", files: { "stop.js": CLI } } as const;

const keep = (name: string) => `cp "$SPAR_CONTEXT" "$HOME/${name}"`;
const context = z.looseObject({
	suspicions: z.array(
		z.strictObject({
			id: z.string(),
			rule: z.string(),
			kind: z.string(),
			file: z.string(),
			line: z.number().nullable(),
			text: z.string(),
		}),
	),
});
const seen = (at: Stage, name: string) => context.parse(JSON.parse(at.kept(name))).suspicions;

/** Answers every suspicion alike, and keeps its context. */
const answers = (
	ok: boolean,
	name: string,
	{ turn, decision = "approve" }: { readonly turn?: number; readonly decision?: string } = {},
) => ({
	role: "coach" as const,
	...(turn === undefined ? {} : { turn }),
	run: `${keep(name)}; ${answersSuspicions(ok, { ...APPROVAL, decision })}`,
});
const play = (steps: Play["steps"], more: Partial<Play> = {}) =>
	stage({ steps, task: { max_turns: 2 }, ...more });

test("an approval that says nothing of a suspicion does not merge", async () => {
	const at = play([WRITES, { ...APPROVES, run: keep("context") }], { task: { max_turns: 1 } });
	const { task } = await at.run();
	expect(task).toMatchObject({ success: false, merged: false, challenger_approved: false });
	expect(seen(at, "context")).toMatchObject([
		{ rule: "ends_process", file: "stop.js", line: 2, text: "+ process.exit(1);" },
	]);
	const [judged] = dataOf(at.trace(), "turn-judged");
	expect(judged).toMatchObject({ raw: "approve", effective: "feedback" });
	expect(judged?.["reasons"]).toEqual([expect.stringMatching(/^suspicion s-\w+ at stop\.js:2 /)]);
});

thorough(
	"an answered suspicion merges, and trace and gate report hold place, answer and reason",
	async () => {
		const at = play([WRITES, answers(true, "context")]);
		const { task } = await at.run();
		expect(task).toMatchObject({ success: true, merged: true, turns: 1 });
		const answered = {
			file: "stop.js",
			line: 2,
			rule: "ends_process",
			ok: true,
			reason: "it ends the runner",
			by: "coach",
		};
		expect(dataOf(at.trace(), "suspicions-answered")).toMatchObject([{ suspicions: [answered] }]);
		expect(await at.json("gate", "one")).toMatchObject({ suspicions: [answered] });
	},
);

thorough(
	"a refused suspicion is a major finding, once, and closes when its place is gone",
	async () => {
		const at = play(
			[
				{ ...WRITES, turn: 1 },
				{ role: "player", turn: 2, run: "echo more >> work.txt" },
				{ role: "player", files: { "stop.js": "export const stop = () => 1;\n" } },
				answers(false, "first", { turn: 1 }),
				answers(false, "second", { turn: 2 }),
				APPROVES,
			],
			{ task: { max_turns: 3 } },
		);
		const { task } = await at.run();
		expect(task).toMatchObject({ success: true, turns: 3, open_findings: 0 });
		expect(seen(at, "second")).toEqual(seen(at, "first"));
		const changes = dataOf(at.trace(), "finding-changed").map(({ finding, state, severity }) => [
			finding,
			state,
			severity,
		]);
		expect(changes).toEqual([
			["F1", "open", "major"],
			["F1", "fixed", "major"],
		]);
	},
);

thorough(
	"an answer holds while the place is as it was, and is asked for again when it changed",
	async () => {
		const elsewhere = { role: "player", turn: 2, files: { "other.txt": "2\n" } } as const;
		const there = {
			role: "player",
			files: { "stop.js": CLI.replace("() => {", "() => {\n\t// at once") },
		} as const;
		const coach = (turn: number) =>
			answers(true, `context-${turn}`, { turn, decision: "feedback" });
		const at = play(
			[{ ...WRITES, turn: 1 }, elsewhere, there, coach(1), coach(2), answers(true, "context-3")],
			{ task: { max_turns: 3 } },
		);
		expect((await at.run()).task).toMatchObject({ success: true, turns: 3 });
		expect(seen(at, "context-2")).toEqual([]);
		expect(seen(at, "context-3").map(({ id }) => id)).toEqual(
			seen(at, "context-1").map(({ id }) => id),
		);
	},
);

thorough("answers outlive a run that is killed", async () => {
	const dies = 'kill -9 "$(cat "$HOME/pid")"';
	const at = play(
		[
			{ ...WRITES, turn: 1 },
			{ role: "player", turn: 2, call: 1, run: dies },
			{ role: "player", run: "echo more > work.txt" },
			answers(true, "first", { turn: 1, decision: "feedback" }),
			{ ...APPROVES, run: keep("second") },
		],
		{ task: { max_turns: 2 } },
	);
	const run = startSpar(at.repo, ["run"]);
	at.repo.write({ "../pid": `${run.child.pid}` });
	expect((await run.ended).signal).toBe("SIGKILL");
	expect((await at.resume()).task).toMatchObject({ success: true, merged: true });
	expect(seen(at, "second")).toEqual([]);
});

const ALONE = { task: { overlays: {} } };

thorough("without a coach a suspicion asks a person, whose word merges the work", async () => {
	const at = play([WRITES], { ...ALONE, human: true });
	const { code, task } = await at.run();
	expect({ code, task }).toMatchObject({ code: 3, task: { turns: 1, merged: false } });
	const [item] = z
		.array(z.looseObject({ id: z.string(), trigger: z.string() }))
		.parse(await at.json("hil", "list"));
	const id = item?.id ?? "";
	expect(item?.trigger).toBe("suspicion");
	expect(await at.json("hil", "show", id)).toMatchObject({
		context: { suspicions: [{ file: "stop.js", line: 2, ok: null, text: "+ process.exit(1);" }] },
	});
	expect((await at.spar(["hil", "show", id])).stdout).toContain("stop.js:2 (ends_process)");
	await at.spar(["hil", "resolve", id, "--take", "developer", "--notes", "it is a command"]);
	expect((await at.resume()).task).toMatchObject({ success: true, merged: true, turns: 1 });
	expect(dataOf(at.trace(), "suspicions-answered")).toMatchObject([
		{ suspicions: [{ ok: true, reason: "it is a command", by: "person" }] },
	]);
});

thorough("without a coach and with people off the task fails with the flag", async () => {
	const { code, task } = await play([WRITES], ALONE).run();
	expect({ code, task }).toMatchObject({
		code: 1,
		task: { success: false, merged: false, flags: ["suspicion"] },
	});
	expect(task.failure_reason).toMatch(
		/^Escalated for human review: .*s-\w+ at stop\.js:2 \(product code that ends the process/,
	);
});
