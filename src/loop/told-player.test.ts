import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { blockedAsked } from "./told-player.ts";

const ran = evidence({
	cases: [
		{ id: "limiter > refuses", status: "failed", message: "expected 4" },
		{ id: "limiter > refills", status: "passed" },
		{ id: "sub", status: "passed" },
	],
});
const named = (...said: readonly string[]) => {
	const blocked = { reason: "test", what: "wrong", evidence: said, proposal: "" } as const;
	return blockedAsked(blocked, [ran]).tests.map(({ name }) => name);
};

test("a case that is named by its last parts is shown with its result", () => {
	expect(named("`refuses` fails", "limiter  >  refills")).toEqual([
		"limiter > refuses",
		"limiter > refills",
	]);
	const blocked = { reason: "test", what: "refuses: wrong", evidence: [], proposal: "" } as const;
	expect(blockedAsked(blocked, [ran]).tests).toEqual([
		{ check: "tests", name: "limiter > refuses", status: "failed", message: "expected 4" },
	]);
});

test("a part of a word or of a path names no case", () => {
	expect(named("src/sub.js subtracts", "re-sub", "substitute")).toEqual([]);
	expect(named("it is (sub)")).toEqual(["sub"]);
});
