import { expect, test } from "vitest";
import type { HarnessName } from "../../src/workflow/harnesses.ts";
import { inOrder } from "../model-server/model-server.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import { scene } from "./scene.ts";

// Apart from the other tests of a seat, since these wait: another file works meanwhile.

/** Enough for each to start and to ask its model, on a busy machine. */
const HANG_LIMIT_MS: Readonly<Record<HarnessName, number>> = {
	claude: 20_000,
	codex: 20_000,
	gemini: 20_000,
	opencode: 60_000,
};

const never = new AbortController().signal;

describeHarnesses((harness) => {
	test("a model that never answers is a timeout, and the connection is dropped", async () => {
		const { agent, call, server } = await scene(harness, inOrder({ kind: "hang" }));
		const outcome = await agent.call(await call({ timeoutMs: HANG_LIMIT_MS[harness.name] }), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "failed", failure: "timeout" });
		expect(await server.requests[0]?.ended).toBe("left");
	});
});
