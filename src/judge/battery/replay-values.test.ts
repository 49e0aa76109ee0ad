import { expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { treeReader } from "../../wall/language/languages.ts";
import { sidesOf } from "../../wall/reading/sides.fixture.ts";
import { noticedValues } from "./replay-values.ts";

const TEST = 'test("notices", () => assert.equal(add(1, 2), 3));\n';
const GREEN = evidence({ cases: cases("notices+ silent+") });
const NOTICED = { status: "fail", cases: cases("notices- silent+") } as const;

/** The word of wrong values on a product, by the runs of the base with them. */
async function heardBy(...onBase: readonly string[]) {
	const left = [...onBase];
	return await noticedValues({
		texts: new Map([["test/add.test.js", TEST]]),
		sides: await sidesOf({ "test/add.test.js": TEST }),
		trees: treeReader(() => Promise.reject(new Error("no Python"))),
		tree: "t1",
		before: GREEN,
		lone: GREEN,
		enough: 1,
		run: (on) =>
			Promise.resolve(
				evidence(
					on === "base" ? { status: "fail", cases: cases(left.shift() ?? "") } : { ...NOTICED },
				),
			),
	});
}

test("a case that the base fails by chance beside wrong values is no control", async () => {
	expect((await heardBy("notices- silent-", "notices- silent+")).silent).toBeNull();
});

test("a case that the base fails each time is", async () => {
	expect((await heardBy("notices- silent-", "notices- silent-")).silent).toMatchObject({
		details: ["silent"],
	});
});
