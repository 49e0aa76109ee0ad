import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { overlapsOf, overlapWrites } from "./overlaps.ts";
import { aChange, aLog, eventsOf, ofKind, scene, theFacts } from "./scene.contract.ts";
import { WorkUnderWay } from "./work-under-way.ts";

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
