import { expect, test } from "vitest";
import { APPROVES, dataOf, stage, WORKS } from "../acceptance/stage.ts";
import { sparUnder } from "../support/killing.ts";
import { stateRows } from "../support/state-rows.ts";

/** Transactions of a resume until the answer is taken, and some of those after it. */
const COMMITS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

test.each(COMMITS)(
	"a run that is killed after transaction %i with its answer goes on, and takes the answer once",
	async (at) => {
		const made = stage({ steps: [WORKS, APPROVES], human: true, task: { requires_human: true } });
		const { report, task } = await made.run();
		await made.spar(["hil", "resolve", task.human_item ?? ""]);
		const args = ["resume", report.run_id];
		const killed = await sparUnder(made.repo, args, { kind: "commit", at, side: "after" });
		expect(killed.signal, killed.stderr).toBe("SIGKILL");

		const { code, task: done, stderr } = await made.resume();
		expect(code, stderr).toBe(0);
		expect(done).toMatchObject({ status: "completed", merged: true, turns: 1 });
		expect(stateRows(made.repo, "SELECT consumed FROM items")).toEqual([{ consumed: 1 }]);
		expect(dataOf(made.trace(), "item-answered")).toHaveLength(1);
		expect(dataOf(made.trace(), "task-merged")).toHaveLength(1);
	},
);
