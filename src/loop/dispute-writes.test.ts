import { expect, test } from "vitest";
import { aFinding } from "../review/finding-builder.contract.ts";
import type { TaskContext } from "./context.ts";
import { disputeWrites } from "./dispute-writes.ts";
import { findingWrites } from "./finding-writes.ts";

type Named = Parameters<typeof findingWrites>[0];
const context: Named = {
	// Of the run and the task only their ids are read.
	run: { runId: "r1" } as TaskContext["run"],
	task: { id: "limiter" } as TaskContext["task"],
	clock: { now: () => 0 } as TaskContext["clock"],
};
const site = { turn: 2, node: "player_turn" };
const dataOf = (writes: ReturnType<typeof findingWrites>) =>
	writes.flatMap((write) => (write.kind === "event" ? [write.event.data] : []));

test("a dispute is stored with its finding and told with its words; one without effect is told with the reason", () => {
	const writes = disputeWrites(context, site, {
		open: [aFinding()],
		disputes: [
			{ finding: "f1", reason: "it does", evidence: "npm test" },
			{ finding: "F9", reason: "no" },
		],
	});
	expect(writes).toMatchObject([
		{ kind: "finding", finding: { id: "F1", state: "disputed", dispute: { turn: 2 } } },
		{
			event: {
				type: "finding-changed",
				data: {
					...{ finding: "F1", state: "disputed" },
					argument: { by: "player", text: "it does", evidence: "npm test" },
				},
			},
		},
		{
			event: {
				type: "dispute-ignored",
				data: { finding: "F9", reason: "it is none of the open findings" },
			},
		},
	]);
});

test("a change without words has no argument, and blank words are none", () => {
	expect(dataOf(findingWrites(context, site, aFinding()))[0]).not.toHaveProperty("argument");
	const blank = { by: "coach", text: " \n", evidence: "\t" } as const;
	expect(dataOf(findingWrites(context, site, aFinding(), blank))[0]).not.toHaveProperty("argument");
	const shown = { by: "player", text: " ", evidence: " npm test " } as const;
	expect(dataOf(findingWrites(context, site, aFinding(), shown))[0]).toMatchObject({
		argument: { text: "", evidence: "npm test" },
	});
});

test("huge words are cut in the event, the finding keeps them", () => {
	const reason = "😀".repeat(50_000);
	const disputes = [{ finding: "F1", reason, evidence: reason }];
	const writes = disputeWrites(context, site, { open: [aFinding()], disputes });
	expect(writes[0]).toMatchObject({ finding: { dispute: { reason } } });
	const [data] = dataOf(writes);
	const argument = data !== undefined && "argument" in data ? data.argument : undefined;
	expect(argument?.text).toHaveLength(4_000);
	expect(argument?.text.isWellFormed()).toBe(true);
	expect(argument?.evidence?.endsWith("…")).toBe(true);
});
