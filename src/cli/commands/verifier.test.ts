import { expect, test } from "vitest";
import { newsLine } from "./verifier.ts";

const REQUEST = { run: "r1", task: "limiter", turn: 2, id: "r1/limiter/2/1/9f86/0" };

test.each([
	[
		{ kind: "serving", where: "nats://mq:4222", slots: 4 } as const,
		"serves on nats://mq:4222, 4 at once; press Ctrl-C to end it",
	],
	[{ kind: "request", ...REQUEST } as const, "limiter, turn 2 of run r1: asked"],
	[
		{ kind: "result", ...REQUEST, outcome: "passed", why: null, ms: 12_340 } as const,
		"limiter, turn 2 of run r1: passed after 12.3 s",
	],
	[
		{ kind: "result", ...REQUEST, outcome: "handed_back", why: null, ms: 40 } as const,
		"limiter, turn 2 of run r1: handed back after 0.0 s",
	],
	[
		{ kind: "result", ...REQUEST, outcome: "refused", why: "run r1 was cancelled", ms: 0 } as const,
		"limiter, turn 2 of run r1: refused after 0.0 s: run r1 was cancelled",
	],
	[{ kind: "notice", text: "NATS is away" } as const, "NATS is away"],
])("a verifier tells $kind in one line", (news, line) => {
	expect(newsLine(news)).toBe(line);
});
