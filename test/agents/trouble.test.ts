import { expect, test } from "vitest";
import { inOrder } from "../model-server/model-server.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import { APPROVES } from "./native-steps.ts";
import { scene } from "./scene.ts";

const never = new AbortController().signal;

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";

// opencode says nothing for more than a minute while it tries again, and codex while it reaches nobody.
describeHarnesses(
	(harness) => {
		test.each([
			[401, "invalid x-api-key", "signed_out"],
			[500, "Internal server error", "unavailable"],
			[529, "Overloaded", "unavailable"],
			[429, QUOTA, /^(?:quota_exhausted|rate_limit)$/],
		])("status %s of its service, %j, is %s", async (status, message, failure) => {
			const { agent, call } = await scene(harness, () => ({ kind: "error", status, message }));
			const outcome = await agent.call(await call(), never);
			const expected: unknown = expect.stringMatching(failure);
			expect(outcome, outcome.output).toMatchObject({ kind: "failed", failure: expected });
		});

		test.skipIf(harness.name === "codex")("a service that is not there is network", async () => {
			const { agent, call, server } = await scene(harness, inOrder(APPROVES));
			await server.close();
			const outcome = await agent.call(await call(), never);
			expect(outcome, outcome.output).toMatchObject({ kind: "failed", failure: "network" });
		});
	},
	["claude", "codex", "gemini"],
);
