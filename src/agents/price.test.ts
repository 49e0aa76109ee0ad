import { expect, test } from "vitest";
import { costOf, type PricedTokens } from "./price.ts";

const tokens = (rest: Partial<PricedTokens> = {}): PricedTokens => ({
	inputTokens: 1_000,
	outputTokens: 100,
	cacheReadTokens: null,
	cacheWriteTokens: null,
	model: "claude-sonnet-4-5",
	...rest,
});

test("1000 input and 100 output tokens at 3 and 15 dollars a million cost 0.0045 dollars", async () => {
	expect(await costOf(tokens())).toBeCloseTo(0.0045, 10);
});

test("cached tokens are part of the input and cost their own price", async () => {
	const read = await costOf(tokens({ cacheReadTokens: 1_000 }));
	const written = await costOf(tokens({ cacheWriteTokens: 1_000 }));
	expect(read).toBeCloseTo(0.0003 + 0.0015, 10);
	expect(written).toBeCloseTo(0.00375 + 0.0015, 10);
});

test.each(["gpt-5", "gemini-2.5-pro", "google/gemini-2.5-pro", "openrouter/google/gemini-2.5-pro"])(
	"%s has a price, whoever names it",
	async (model) => {
		expect(await costOf(tokens({ model }))).toBeGreaterThan(0);
	},
);

test.each([
	["no model", { model: null }],
	["an unknown model", { model: "no-such-model" }],
	["an empty model", { model: "" }],
	["a model of a server of one's own", { model: "ollama/gpt-4o" }],
	["a model of another one", { model: "lmstudio/gpt-oss-20b" }],
	["a model of a script", { model: "scripted/gpt-5" }],
	["a model of the wrong provider", { model: "google/gpt-5" }],
	["one that is handed on by somebody else", { model: "proxy/openai/gpt-5" }],
	["one that is handed on to somebody else", { model: "openrouter/ollama/gpt-5" }],
	["one that nobody is named for", { model: "openrouter/gpt-5" }],
	["a name in several parts", { model: "openai/own/gpt-5" }],
	["a prefix that is empty", { model: "/gpt-5" }],
	["unknown input", { inputTokens: null }],
	["unknown output", { outputTokens: null }],
	["more cached tokens than tokens", { cacheReadTokens: 2_000 }],
])("%s costs an unknown sum, not zero", async (_name, rest) => {
	expect(await costOf(tokens(rest))).toBeNull();
});
