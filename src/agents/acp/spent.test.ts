import { expect, test } from "vitest";
import { type SessionSpent, usageOf } from "./spent.ts";

const session = (rest: Partial<SessionSpent> = {}): SessionSpent => ({
	agentName: "some",
	steps: 1,
	costUsd: null,
	model: "claude-sonnet-4-5",
	...rest,
});

const usage = (rest: Record<string, unknown>): unknown => ({
	usage: { inputTokens: 1_000, outputTokens: 100, ...rest },
});

test("tokens of the answer are priced by the table", async () => {
	const spent = { inputTokens: 1_000, outputTokens: 100, model: "claude-sonnet-4-5" };
	const known = await usageOf(usage({ totalTokens: 1_100 }), session());
	expect(known).toMatchObject(spent);
	expect(known?.costUsd).toBeCloseTo(0.0045);
});

test.each([
	["besides the input", { totalTokens: 1_600, cachedReadTokens: 500 }, 1_500],
	["in the input", { totalTokens: 1_100, cachedReadTokens: 500 }, 1_000],
	["besides, as they are more", { cachedReadTokens: 5_000 }, 6_000],
])("cached tokens counted %s", async (_name, rest, inputTokens) => {
	expect(await usageOf(usage(rest), session())).toMatchObject({ inputTokens });
});

test("tokens of thought are output, unless they are counted there", async () => {
	const besides = usage({ totalTokens: 1_140, thoughtTokens: 40 });
	expect(await usageOf(besides, session())).toMatchObject({ outputTokens: 140 });
	const inside = usage({ totalTokens: 1_100, thoughtTokens: 40 });
	expect(await usageOf(inside, session())).toMatchObject({ outputTokens: 100 });
});

test.each([{ inputTokens: 1e300 }, { totalTokens: "many" }, { cachedReadTokens: 0.5 }])(
	"a count that cannot be makes them all unknown: %j",
	async (rest) => {
		expect(await usageOf(usage(rest), session())).toMatchObject({
			inputTokens: null,
			costUsd: null,
		});
	},
);

test("what the agent says that it cost wins over the table", async () => {
	expect(await usageOf(usage({}), session({ costUsd: 2 }))).toMatchObject({ costUsd: 2 });
});

test("of an agent that tells of its last step only, several steps are not known", async () => {
	const opencode = session({ agentName: "OpenCode", steps: 2, costUsd: 2 });
	const unknown = { inputTokens: null, outputTokens: null, costUsd: 2 };
	expect(await usageOf(usage({}), opencode)).toMatchObject(unknown);
	expect(await usageOf(usage({}), { ...opencode, steps: 1 })).toMatchObject({ inputTokens: 1_000 });
});

const quota = (...models: readonly string[]): unknown => {
	const token_count = { input_tokens: 1_000, output_tokens: 100 };
	return {
		_meta: { quota: { token_count, model_usage: models.map((model) => ({ model, token_count })) } },
	};
};

test("a quota names the model that answered", async () => {
	const spent = { inputTokens: 1_000, outputTokens: 100, model: "claude-haiku-4-5" };
	expect(await usageOf(quota("claude-haiku-4-5"), session())).toMatchObject(spent);
	expect(await usageOf(quota(), session())).toMatchObject({ ...spent, model: session().model });
});

test("several models are summed, and their cost is unknown when one of theirs is", async () => {
	const both = await usageOf(quota("claude-sonnet-4-5", "claude-sonnet-4-5"), session());
	expect(both).toMatchObject({ inputTokens: 2_000, outputTokens: 200 });
	expect(both?.costUsd).toBeCloseTo(0.009);
	expect(await usageOf(quota("claude-sonnet-4-5", "nobody"), session())).toMatchObject({
		costUsd: null,
	});
});

test.each([
	[null],
	[{}],
	[{ usage: null }],
	[{ usage: { inputTokens: 0, outputTokens: 0 } }],
	[{ usage: { inputTokens: -5, outputTokens: "many" } }],
	[{ _meta: { quota: { token_count: { input_tokens: 0, output_tokens: 0 }, model_usage: [] } } }],
])("%j tells nothing, which is not zero", async (answer) => {
	expect(await usageOf(answer, session({ model: null }))).toBeNull();
	const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
	expect(await usageOf(answer, session())).toMatchObject(unknown);
});
