import { expect, test } from "vitest";
import type { ProcessResult } from "../../process/process.ts";
import { describeAgentContract } from "../agent.contract.ts";
import { harnessMakers } from "../harness/fake-harness.fixture.ts";
import type { HarnessLook } from "../harness/harness.ts";
import { codex } from "./codex.ts";

const begun = [{ type: "thread.started", thread_id: "1" }, { type: "turn.started" }];

describeAgentContract(
	"the codex adapter",
	harnessMakers(codex, {
		answered: (text) => [
			...begun,
			{ type: "item.completed", item: { id: "1", type: "agent_message", text } },
			{ type: "turn.completed", usage: { input_tokens: 9, output_tokens: 4 } },
		],
		failed: [...begun, { type: "turn.failed", error: { message: "unexpected status 500" } }],
		tellsNoTokens: "codex tells no tokens of a turn that failed",
	}),
	["failsHavingSpent"],
);

function look(printed: Partial<ProcessResult>, rest: Partial<HarnessLook> = {}): HarnessLook {
	const ran: ProcessResult = {
		exitCode: 0,
		signal: null,
		timedOut: false,
		started: true,
		startError: null,
		stdout: "",
		stderr: "",
		output: "",
		startedAt: 0,
		ms: 1,
		...printed,
	};
	return { run: () => Promise.resolve(ran), env: {}, login: "user", named: [], ...rest };
}

test.each([
	[0, "Logged in using ChatGPT", true, "signed in with an account"],
	[0, "API key configured - sk-a***b", true, "signed in by key"],
	[1, "WARNING: x\nNot logged in", false, "not signed in"],
	[1, "Error loading configuration", "warn", "cannot tell whether it is signed in"],
])("with login: user, `codex login status` ending with %s and %j is %s", async (...row) => {
	const [exitCode, stderr, ok, detail] = row;
	const found = await codex.signIn(look({ exitCode, stderr }));
	expect(found).toMatchObject({ ok, detail });
	expect(found.fix === null).toBe(ok === true);
});

test("a key that the workflow passes on wins, and with login: key it is the only way in", async () => {
	const run = () => Promise.reject(new Error("ran"));
	const named = ["OPENAI_API_KEY"];
	const keyed = look({}, { run, named, env: { OPENAI_API_KEY: "k" } });
	expect(await codex.signIn(keyed)).toMatchObject({ ok: true, detail: "OPENAI_API_KEY is set" });
	expect(await codex.signIn({ ...keyed, login: "key" })).toMatchObject({ ok: true });
	expect(await codex.signIn({ ...keyed, login: "key", env: {} })).toMatchObject({ ok: false });
});
