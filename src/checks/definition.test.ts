import { expect, test } from "vitest";
import { limitOf } from "./definition.ts";

test.each([
	["the workflow's own limit wins", { timeoutMs: 5_000 }, { status: "pass", ms: 60_000 }, 5_000],
	["ten times what the base took", {}, { status: "pass", ms: 90_000 }, 900_000],
	["ten minutes at least", {}, { status: "pass", ms: 800 }, 600_000],
	[
		"a red base, which may have ended early, is no measure",
		{},
		{ status: "fail", ms: 90_000 },
		600_000,
	],
	["ten minutes where the base gave no result", {}, { status: "error", ms: 600_000 }, 600_000],
	["ten minutes of the base itself", {}, undefined, 600_000],
] as const)("the limit of a run: %s", (_name, check, base, limit) => {
	expect(limitOf(check, base)).toBe(limit);
});
