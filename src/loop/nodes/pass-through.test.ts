import { expect, test } from "vitest";
import { aLog, theFacts } from "../scene.contract.ts";
import { processFeedback, verify } from "./pass-through.ts";

test("verification passes through, and says whether the task declined it", async () => {
	const declined = theFacts({ task: { requiresVerification: "false" } });
	expect((await verify({ facts: declined })).passedThrough).toContain("is false");
	expect((await verify({ facts: theFacts() })).passedThrough).toContain("not available yet");
});

test("feedback shows the task as one that needs rework", async () => {
	expect(await processFeedback({ log: aLog() })).toMatchObject({
		update: { next: "go" },
		writes: [{ kind: "task", patch: { status: "needs_rework" } }],
	});
});
