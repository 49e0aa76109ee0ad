import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { askModel } from "./ask-model.ts";

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Streamed extends ReadableStream<infer Each> ? Each : never;
type Warning = Extract<Part, { type: "stream-start" }>["warnings"][number];

const counts = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };

/** What a model with these warnings is said to have answered, warnings told. */
async function warningsOf(...warnings: readonly Warning[]): Promise<readonly string[]> {
	const chunks: Part[] = [
		{ type: "stream-start", warnings: [...warnings] },
		{ type: "text-start", id: "1" },
		{ type: "text-delta", id: "1", delta: "{}" },
		{ type: "text-end", id: "1" },
		{
			type: "finish",
			finishReason: { unified: "stop", raw: "stop" },
			usage: { inputTokens: counts, outputTokens: counts },
		},
	];
	const model = new MockLanguageModelV4({
		doStream: { stream: simulateReadableStream({ chunks }) },
	});
	const { signal } = new AbortController();
	const reply = await askModel({ model, prompt: "Judge.", schema: null, signal });
	expect(reply).toMatchObject({ text: "{}", error: null, finish: { reason: "stop" } });
	return reply.warnings;
}

test.each<[Warning, string]>([
	[{ type: "unsupported", feature: "seed" }, "seed is not supported"],
	[
		{ type: "unsupported", feature: "responseFormat", details: "no JSON here" },
		"responseFormat is not supported: no JSON here",
	],
	[{ type: "compatibility", feature: "tools" }, "tools is in compatibility mode"],
	[
		{ type: "deprecated", setting: "x-old", message: "use x-new" },
		"x-old is deprecated: use x-new",
	],
	[{ type: "other", message: "it is late" }, "it is late"],
	// A later version of the package may know more kinds.
	[{ type: "new" } as unknown as Warning, "a warning of an unknown kind"],
])("%j is told as %j", async (warning, told) => {
	expect(await warningsOf(warning)).toEqual([told]);
});

test("all warnings are told in order, and none when there is none", async () => {
	const other = (message: string): Warning => ({ type: "other", message });
	expect(await warningsOf(other("a"), other("b"))).toEqual(["a", "b"]);
	expect(await warningsOf()).toEqual([]);
});
