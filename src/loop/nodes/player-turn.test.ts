import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import { call } from "../../store/record-builders.contract.ts";
import type { Write } from "../../store/records.ts";
import { WorkUnderWay } from "../context.ts";
import { aChange, aLog, aSnapshot, eventsOf, ofKind, scene, theFacts } from "../scene.contract.ts";
import { overlapsOf, overlapWrites, playerTurn } from "./player-turn.ts";

/** Turn 3 is played. */
const turn3 = (parts: Parameters<typeof scene>[0] = {}) => {
	const made = scene(parts);
	return { ...made, input: { ...made.input, log: aLog(3, "player_turn") } };
};
const answers = (report: unknown) => ({
	player: () =>
		Promise.resolve({
			kind: "answered" as const,
			call: call({ report: report === null ? null : JSON.stringify(report) }),
			outcome: null,
		}),
});

test("a turn is counted before the player is called, and its commit is published after all is recorded", async () => {
	const { input, kept, done } = turn3();
	const { update, writes } = await playerTurn(input);
	expect(update).toEqual({ turn: 3, commit: "c3", next: "go", taken: false, critical: false });
	expect(kept).toMatchObject([{ kind: "task", patch: { turns: 3, status: "running" } }]);
	expect(done).toEqual(["player", "record", "publish turn-3-1 c3 c2"]);
	expect(eventsOf(writes)).toEqual(["snapshot-taken", "player-reported"]);
	const turn = { turn: 3, commit: "c3", effective: null, route: null };
	expect(ofKind(writes, "turn")).toMatchObject([{ turn }]);
});

test("a stored answer whose work is gone is told of and forgotten before the player is asked again", async () => {
	const lost = { call: call({ agent: "dev", call: 1 }), reason: "its checkout is gone" };
	const { input, kept, done } = turn3({ seats: { lostWork: () => Promise.resolve(lost) } });
	await playerTurn(input);
	expect(done.slice(0, 2)).toEqual(["episode player", "player"]);
	expect(eventsOf(kept)).toEqual(["work-lost"]);
	expect(kept.at(-1)).toMatchObject({ event: { data: { agent: "dev", reason: lost.reason } } });
});

test("work that a machine pushed before it died is taken, and its player is not asked again", async () => {
	const lost = { call: call({ agent: "dev", call: 1 }), reason: "its checkout is gone" };
	const pushed = async (label: string) => (label === "turn-3-1" ? "c7" : null);
	const snapshot = () => Promise.reject(new Error("there is no checkout"));
	const { input, kept, done } = turn3({
		seats: { lostWork: () => Promise.resolve(lost) },
		refs: { pushed },
		commits: { snapshot },
	});
	const { update } = await playerTurn(input);
	expect(update).toMatchObject({ turn: 3, commit: "c7" });
	expect(done).toEqual(["player", "record", "publish turn-3-1 c7 c2"]);
	expect(eventsOf(kept)).toEqual([]);
});

test("work outside of unchanged files is kept before the turn is recorded, and told; what is damaged is told", async () => {
	const work = [
		{ kind: "branch", name: "fix", commit: "b1" },
		{ kind: "stash", name: "later", commit: null },
	] as const;
	const leftWork = () => Promise.resolve(work);
	const snapshot =
		(empty: boolean, userIgnored: readonly string[] = []) =>
		() =>
			Promise.resolve({ ...aSnapshot({ empty, userIgnored }) });
	const { input, done } = turn3({ commits: { snapshot: snapshot(true), leftWork } });
	const { writes = [] } = await playerTurn(input);
	expect(done).toEqual(["player", "keep left-3-1 b1", "record", "publish turn-3-1 c3 c2"]);
	expect(eventsOf(writes)).toContain("work-left");
	const steps = (writes: readonly Write[]) =>
		writes.flatMap((write) =>
			write.kind === "step" && write.key.step === "left-behind" ? [write.result] : [],
		);
	expect(steps(writes)).toEqual([{ work, ignored: [] }]);
	const changed = turn3({ commits: { snapshot: snapshot(false, [".env"]), leftWork } });
	const { writes: others = [] } = await playerTurn(changed.input);
	expect(eventsOf(others)).not.toContain("work-left");
	expect(steps(others)).toEqual([{ work: [], ignored: [".env"] }]);
});

test("a missing report is noted, and the diff counts", async () => {
	const { input } = turn3({ seats: answers(null) });
	const { update, writes } = await playerTurn(input);
	expect(update.next).toBe("go");
	expect(eventsOf(writes)).toEqual(["snapshot-taken", "report-rejected"]);
});

test("a dispute is entered into the finding that it is about", async () => {
	const disputes = [{ finding: "F1", reason: "it does", evidence: "npm test" }];
	const { input } = turn3({
		seats: answers({ disputes }),
		read: { open: () => Promise.resolve([aFinding()]) },
	});
	const { writes } = await playerTurn(input);
	expect(ofKind(writes, "finding")).toMatchObject([{ finding: { id: "F1", state: "disputed" } }]);
});

test("no turn is charged for a player that fails", async () => {
	const failed = call({ agent: "dev", outcome: "timeout", message: "30m passed" });
	const seats = { player: () => Promise.resolve({ kind: "failed" as const, call: failed }) };
	const { input, done } = turn3({ seats });
	const { update, writes } = await playerTurn(input);
	expect(update).toEqual({
		next: "halt",
		trigger: "role_error",
		reason: {
			kind: "role_failed",
			role: "player",
			agent: "dev",
			why: "30m passed",
			failure: "timeout",
		},
	});
	expect(ofKind(writes, "task")).toMatchObject([{ patch: { turns: 2 } }]);
	expect(done).toEqual(["episode player"]);
});

test("nor one for a budget that is spent", async () => {
	const seats = { player: () => Promise.resolve({ kind: "unpaid" as const, reason: "spent" }) };
	const { update, writes } = await playerTurn(turn3({ seats }).input);
	expect(update).toMatchObject({
		trigger: "budget",
		reason: { kind: "budget_spent", why: "spent" },
	});
	expect(writes).toMatchObject([{ kind: "task", patch: { turns: 2 } }]);
});

test("a damaged pair session stops the turn before anybody is called", async () => {
	const pair = { trouble: () => Promise.resolve("it was edited") };
	const { input, done, kept } = turn3({ pair });
	expect((await playerTurn(input)).update).toMatchObject({ trigger: "corrupt_session" });
	expect([done, kept]).toEqual([[], []]);
});

test("a formal review has no player: its turn is what was merged", async () => {
	const facts = theFacts({ task: { formalReview: true } });
	const { input, done } = turn3({ facts });
	const { update, passedThrough } = await playerTurn(input);
	expect(update).toMatchObject({ turn: 3, commit: "c0", reviewed: "" });
	expect(passedThrough).toContain("turn 3 judges the merged work");
	expect(done).toEqual([]);
});

/** A task beside two others, of which one works on the same file. */
function beside(conflicts: readonly string[]) {
	const facts = theFacts();
	const { workflow, task } = facts;
	const asked: string[] = [];
	const { input } = scene({
		facts: { ...facts, workflow: { ...workflow, tasks: [task, { ...task, id: "cache" }] } },
		commits: {
			changes: () => Promise.resolve([aChange("a.js")]),
			forecast: (theirs) => {
				asked.push(theirs);
				return Promise.resolve(
					conflicts.length === 0
						? { clean: true, tree: "t" }
						: { clean: false, tree: "t", conflicts },
				);
			},
		},
	});
	const underWay = new WorkUnderWay();
	underWay.note("cache", { commit: "c7", paths: new Set(["a.js", "b.js"]) });
	underWay.note("docs", { commit: "c8", paths: new Set(["guide.md"]) });
	return { input: { ...input, underWay }, asked };
}

test("a turn is compared with the tasks that changed one of its files, and with no other", async () => {
	const { input, asked } = beside(["a.js"]);
	expect(await overlapsOf(input, "c3")).toEqual([{ task: "cache", files: ["a.js"] }]);
	expect(asked).toEqual(["c7"]);
});

test("the damaged commit of another task is no overlap, and no trouble of this one", async () => {
	const { input } = beside([]);
	const failing = (error: Error) => {
		const commits = { ...input.commits, forecast: () => Promise.reject(error) };
		return overlapsOf({ ...input, commits }, "c3");
	};
	expect(await failing(new Fault("cannot read c7", { code: "git-failed" }))).toEqual([]);
	await expect(failing(new Fault("full", { code: "disk-full" }))).rejects.toThrow("full");
});

test("what merges cleanly is no overlap", async () => {
	expect(await overlapsOf(beside([]).input, "c3")).toEqual([]);
});

test("a turn is compared with what has merged since its task began", async () => {
	const { input } = beside(["a.js"]);
	const refs = { ...input.refs, integrationTip: () => Promise.resolve("c9") };
	expect(await overlapsOf({ ...input, refs }, "c3")).toEqual([
		{ task: null, files: ["a.js"] },
		{ task: "cache", files: ["a.js"] },
	]);
});

test("a run of one task compares nothing", async () => {
	const { input } = scene({ refs: { integrationTip: () => Promise.reject(new Error("asked")) } });
	expect(await overlapsOf(input, "c3")).toEqual([]);
});

test("a task that ended is compared with no more", async () => {
	const { input } = beside(["a.js"]);
	input.underWay.forget("cache");
	expect(await overlapsOf(input, "c3")).toEqual([]);
});

test("a warning is kept for the player's next turn and told in the trace", () => {
	const writes = overlapWrites(aLog(), [
		{ task: "cache", files: ["a.js"] },
		{ task: null, files: ["b.js"] },
	]);
	expect(eventsOf(writes)).toEqual(["merge-forecast", "merge-forecast"]);
	expect(ofKind(writes, "step")).toMatchObject([{ key: { turn: 2, step: "overlaps" } }]);
	expect(overlapWrites(aLog(), [])).toEqual([]);
});
