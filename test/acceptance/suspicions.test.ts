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
