import { expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	dataOf,
	type Play,
	sendsBack,
	stage,
	textLike,
} from "../acceptance/stage.ts";

/** A player that works, and reports that it modified these files. */
const reports = (turn: number, ...files_modified: readonly string[]) => ({
	role: "player" as const,
	turn,
	run: "echo turn $SPAR_TURN >> work.txt",
	report: { files_modified },
});
/** A coach that asks for more in each turn, in other words; it keeps what it was given. */
const asksForMore = (turn: number) => ({
	role: "coach" as const,
	turn,
	run: `cp "$SPAR_CONTEXT" "$HOME/context-${turn}.json"; cp "$SPAR_PROMPT" "$HOME/prompt-${turn}.md"`,
	report: sendsBack({ issue: `more of part ${turn}`, severity: "major" }),
});
/** One that says of the first findings that they are fixed. */
const approves = (fixed: number) => ({
	role: "coach" as const,
	report: {
		...APPROVAL,
		findings_status: Array.from({ length: fixed }, (_, n) => ({
			id: `F${n + 1}`,
			status: "fixed",
		})),
	},
});
const GHOST = "src/ghost.js";
const lies = (play: Partial<Play> = {}) =>
	stage({
		steps: [1, 2, 3, 4].flatMap((turn) => [reports(turn, "work.txt", GHOST), asksForMore(turn)]),
		...play,
	});
const FALSE = `${GHOST}: reported as modified, but not in the diff`;

test("a false claim is listed, shown to the coach as a fact and told to its player, and blocks nothing by itself", async () => {
	const { run, trace, agents, kept, spar } = stage({
		steps: [
			reports(1, "work.txt", GHOST),
			asksForMore(1),
			{
				...reports(2, "./work.txt"),
				run: 'cp "$SPAR_PROMPT" "$HOME/player-2.md"; echo more >> work.txt',
			},
			approves(1),
		],
	});
	const { code, task } = await run();
	expect([code, task.status, task["false_claims"]]).toEqual([0, "completed", []]);
	expect(dataOf(trace(), "claims-compared")).toEqual([
		{ honest: 0.5, discrepancies: [FALSE], in_a_row: 1 },
		{ honest: 1, discrepancies: [], in_a_row: 0 },
	]);
	expect(JSON.parse(kept("context-1.json"))).toMatchObject({
		false_claims: [{ kind: "file", said: "modified", file: GHOST, text: FALSE }],
	});
	expect(kept("prompt-1.md")).toContain(FALSE);
	expect(kept("player-2.md")).toContain(FALSE);
	expect(agents.calls().filter(({ event }) => event === "start")).toHaveLength(4);
	expect((await spar(["trace", "one"])).stdout).toContain(FALSE);
});

test("three false reports in a row end the task with that reason, whatever the coach says", async () => {
	const { run, trace, json, spar, agents } = lies({
		steps: [
			...[1, 2].flatMap((turn) => [reports(turn, GHOST), asksForMore(turn)]),
			reports(3, GHOST),
			APPROVES,
		],
	});
	const { code, task } = await run();
	expect(code).toBe(1);
	expect(task).toMatchObject({
		status: "failed",
		turns: 3,
		merged: false,
		flags: ["false_claims"],
		failure_reason: `The player's reports are false: 3 reports in a row by dev make false claims; the last about ${GHOST}`,
		false_claims: [FALSE],
	});
	expect(dataOf(trace(), "claims-compared").map((data) => data["in_a_row"])).toEqual([1, 2, 3]);
	// The third turn asks no coach.
	const roles = agents.calls().filter(({ event }) => event === "start");
	expect(roles.at(-1)).toMatchObject({ role: "player", turn: 3 });
	expect(await json("status")).toMatchObject({ tasks: { one: { flags: ["false_claims"] } } });
	expect((await spar(["status"])).stdout).toContain(`false claim: ${FALSE}`);
});

test("a report that is right in between begins a new row", async () => {
	const { run } = lies({
		steps: [
			...[1, 2, 4].flatMap((turn) => [reports(turn, GHOST), asksForMore(turn)]),
			reports(3, "work.txt"),
			asksForMore(3),
			reports(5, "work.txt"),
			approves(4),
		],
	});
	expect((await run()).task).toMatchObject({ status: "completed", turns: 5 });
});

test("what was true of an earlier turn is no false claim later", async () => {
	const { run, trace } = lies({
		steps: [
			{ ...reports(1, "first.txt"), run: "echo 1 > first.txt" },
			asksForMore(1),
			reports(2, "first.txt", "work.txt"),
			approves(1),
		],
	});
	expect((await run()).task.status).toBe("completed");
	expect(dataOf(trace(), "claims-compared")).toMatchObject([{ honest: 1 }, { honest: 1 }]);
});

test("a check that the player saw pass, and that fails for Sparring, is a false claim", async () => {
	const { run, trace } = lies({
		task: { max_turns: 1 },
		steps: [
			{
				role: "player",
				run: "sed -i.bak 's/^ok/not ok/' results.tap; rm results.tap.bak",
				report: { checks_passed: ["sh check.sh"] },
			},
			APPROVES,
		],
	});
	await run();
	expect(dataOf(trace(), "claims-compared")).toMatchObject([
		{
			honest: 0,
			discrepancies: ["tests: reported as passed, but it failed when Sparring ran it"],
		},
	]);
});

test("with people on a person is asked, sees the claims, and can look past them", async () => {
	const { run, json, spar, resume } = lies({ human: true, task: { max_turns: 4 } });
	const { code, task } = await run();
	expect(code).toBe(3);
	expect(task).toMatchObject({ status: "paused_for_human", turns: 3 });
	const [item] = (await json("hil", "list")) as { id: string; trigger: string }[];
	expect(item?.trigger).toBe("false_claims");
	const id = item?.id ?? "";
	expect(await json("hil", "show", id)).toMatchObject({
		reason: textLike(`3 reports in a row by dev make false claims; the last about ${GHOST}`),
		choices: ["take_developer", "take_reviewer", "directive"],
		context: { false_claims: [FALSE] },
	});
	expect((await spar(["hil", "show", id])).stdout).toContain(FALSE);
	await spar(["hil", "resolve", id, "--take", "developer"]);
	// The coach of the third turn judges the work, and a new row begins with the fourth report.
	const after = await resume();
	expect(after.task).toMatchObject({ status: "paused_for_human", turns: 4 });
	const [next] = (await json("hil", "list")) as { trigger: string }[];
	expect(next?.trigger).toBe("loop_exhausted");
});

test("a directive, like sending it back, gives the player one more turn", async () => {
	const { run, json, spar, resume } = lies({
		human: true,
		task: { max_turns: 3 },
		steps: [
			...[1, 2].flatMap((turn) => [reports(turn, GHOST), asksForMore(turn)]),
			reports(3, GHOST),
			reports(4, "work.txt"),
			approves(2),
		],
	});
	await run();
	const [item] = (await json("hil", "list")) as { id: string }[];
	await spar(["hil", "resolve", item?.id ?? "", "--directive", "Report what you did."]);
	expect((await resume()).task).toMatchObject({ status: "completed", turns: 4 });
});
