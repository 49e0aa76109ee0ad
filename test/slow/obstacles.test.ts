import { expect, test } from "vitest";
import { APPROVES, stage, TAP_RED, WORKS } from "../acceptance/stage.ts";

test("spar status names a blocked change with its file, and so does its JSON", async () => {
	const edits = { role: "player", run: "echo more >> conf/a.cfg" } as const;
	const at = stage({
		steps: [edits, APPROVES],
		files: { "conf/a.cfg": "a\n" },
		task: { max_turns: 1 },
		workflow: { protected: ["conf/**"] },
	});
	const { task } = await at.run();
	expect(task.failure_reason).toBe("Max turns (1) reached without approval");
	expect(task).toMatchObject({ blocked_changes: [expect.stringMatching(/^conf\/a\.cfg: /)] });
	const { stdout } = await at.spar(["status"]);
	expect(stdout).toMatch(/^one: in the way: blocked change: conf\/a\.cfg: /m);
});

test("a task that failed at its limit says which check was in the way", async () => {
	const red = { role: "player", files: { "results.tap": TAP_RED } } as const;
	const at = stage({ steps: [red, APPROVES], task: { max_turns: 1 } });
	expect((await at.run()).task).toMatchObject({ blocked_changes: [] });
	expect((await at.spar(["status"])).stdout).toMatch(
		/^one: in the way: required check tests failed: /m,
	);
});

test("nothing is in the way of a task that merged", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	expect((await at.run()).task).toMatchObject({ merged: true, obstacles: [] });
	expect((await at.spar(["status"])).stdout).not.toContain("in the way");
});
