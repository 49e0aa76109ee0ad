import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { ProcessResult } from "../../process/process.ts";
import { describeAgentContract } from "../agent.contract.ts";
import { harnessMakers } from "../harness/fake-harness.fixture.ts";
import type { HarnessLook } from "../harness/harness.ts";
import { claude } from "./claude.ts";

const model = "claude-sonnet-5";
const begun = [
	{ type: "system", subtype: "init", model },
	{ type: "assistant", message: { id: "1", model, usage: { input_tokens: 9, output_tokens: 1 } } },
];
const usage = { modelUsage: { [model]: { inputTokens: 9, outputTokens: 4 } } };
const result = { type: "result", subtype: "success", ...usage };

describeAgentContract(
	"the claude adapter",
	harnessMakers(claude, {
		answered: (text) => [
			...begun,
			{ ...result, is_error: false, terminal_reason: "completed", result: text },
		],
		failed: [
			...begun,
			{ ...result, is_error: true, terminal_reason: "api_error", api_error_status: 500 },
		],
	}),
	[],
	thorough,
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
	['{"loggedIn": true, "authMethod": "claude.ai"}', true, "signed in with a Claude account"],
	['{"loggedIn": true, "authMethod": "api_key"}', true, "signed in by key"],
	['{"loggedIn": true, "authMethod": "oauth_token"}', true, "signed in by token"],
	['{"loggedIn": true, "authMethod": "third_party"}', true, "signed in through another provider"],
	['note\n{"loggedIn": true, "authMethod": "toString"}', true, "signed in"],
	['{"loggedIn": false, "authMethod": "none"}', false, "not signed in"],
	["unknown command", "warn", "cannot tell whether it is signed in"],
	["[1, null]", "warn", "cannot tell whether it is signed in"],
])("with login: user, `claude auth status` printing %s is %s", async (stdout, ok, detail) => {
	const found = await claude.signIn(look({ stdout }));
	expect(found).toMatchObject({ ok, detail });
	expect(found.fix === null).toBe(ok === true);
});

test("with login: key the key is looked up without the program", async () => {
	const run = () => Promise.reject(new Error("ran"));
	const keyed = look({}, { run, login: "key", named: ["ANTHROPIC_API_KEY"] });
	expect(await claude.signIn({ ...keyed, env: { ANTHROPIC_API_KEY: "k" } })).toMatchObject({
		ok: true,
	});
	expect(await claude.signIn(keyed)).toMatchObject({ ok: false });
});
