import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { knownInBoth } from "./known-in-both.ts";

const failed = (id: string) => ({ id, status: "failed", message: "wrong" }) as const;
const passed = (id: string) => ({ id, status: "passed" }) as const;

test("a failure is known when it was there before as well; any other one is a case that passed", () => {
	const before = evidence({ cases: [failed("a"), passed("b"), failed("gone")] });
	const now = evidence({ cases: [failed("a"), failed("b"), failed("c"), passed("d")] });
	expect(knownInBoth(before, now).cases).toEqual([
		failed("a"),
		passed("b"),
		passed("c"),
		passed("d"),
	]);
});

test("what was fixed meanwhile is not known any more", () => {
	const now = evidence({ cases: [passed("a")] });
	expect(knownInBoth(evidence({ cases: [failed("a")] }), now)).toEqual(now);
});

test("where nothing was said before no failure is known", () => {
	const now = evidence({ cases: [failed("a")], results: figures("x") });
	expect(knownInBoth(undefined, now)).toEqual({
		...now,
		cases: [passed("a")],
		results: figures(),
	});
});

test("a check without names of cases stays as it is", () => {
	expect(knownInBoth(evidence(), evidence({ cases: null })).cases).toBeNull();
});

const figures = (...fingerprints: readonly string[]) => ({ fresh: 0, weight: 0, fingerprints });

test("a problem is known as often as it stood in both", () => {
	const before = evidence({ results: figures("x", "x", "y") });
	const now = evidence({ results: figures("x", "x", "x", "z") });
	expect(knownInBoth(before, now).results?.fingerprints).toEqual(["x", "x"]);
});
