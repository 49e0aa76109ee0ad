import { expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { type MergeGround, standsFor } from "./stands-for.ts";

const GROUND: MergeGround = { tree: "t1", start: "c0", tip: "c0", startKey: "k", key: "k" };
const PASSED = evidence({ check: "tests", tree: "t1", status: "pass" });
const BASE = evidence({
	check: "tests",
	tree: "t0",
	status: "pass",
	cases: cases("adds+"),
});

type Change = Partial<MergeGround>;

test.each<[string, boolean, Change, Partial<typeof PASSED>[], Partial<typeof BASE> | null]>([
	["a pass on the very tree", true, {}, [{}], {}],
	["the last of several", true, {}, [{ status: "fail" }, {}], {}],
	["what failed at last", false, {}, [{}, { status: "fail" }], {}],
	["a check without a value", false, {}, [{ status: "absent" }], {}],
	["another tree", false, {}, [{ tree: "t2" }], {}],
	["another check", false, {}, [{ check: "lint" }], {}],
	["nothing that ran", false, {}, [], {}],
	["a tip that moved", false, { tip: "c1" }, [{}], {}],
	["a start that is not known", false, { start: null }, [{}], {}],
	["another setup", false, { key: "k2" }, [{}], {}],
	["a base without tests that passed", false, {}, [{}], { cases: cases("adds-") }],
	["a base that never ran", false, {}, [{}], null],
])("%s stands for the merge: %s", (_name, stands, ground, turn, before) => {
	const baseline = new Map(before === null ? [] : [["tests", { ...BASE, ...before }]]);
	const pieces = turn.map((part) => ({ ...PASSED, ...part }));
	const held = standsFor({ ...GROUND, ...ground }, ["tests"], pieces, baseline);
	expect(held).toEqual(stands ? [pieces.at(-1)] : null);
});

test("each of several checks must stand", () => {
	const baseline = new Map([
		["tests", BASE],
		["more", BASE],
	]);
	const more = evidence({ ...PASSED, check: "more" });
	expect(standsFor(GROUND, ["tests", "more"], [PASSED], baseline)).toBeNull();
	expect(standsFor(GROUND, ["tests", "more"], [more, PASSED], baseline)).toEqual([PASSED, more]);
});
