import { expect, test } from "vitest";
import { aLog } from "../scene.contract.ts";
import { processFeedback } from "./pass-through.ts";

test("feedback shows the task as one that needs rework", async () => {
	expect(await processFeedback({ log: aLog() })).toMatchObject({
		update: { next: "go" },
		writes: [{ kind: "task", patch: { status: "needs_rework" } }],
	});
});
