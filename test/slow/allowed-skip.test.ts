import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const HEAD = `import assert from "node:assert/strict";
import { test } from "node:test";
import { limiter } from "../src/limiter.js";
`;
const TWO = `test("a burst of two", () => {
	const allow = limiter({ burst: 2 });
	assert.deepEqual([allow(), allow(), allow()], [true, true, false]);
});
`;
const ONE = `test("a burst of one", () => {
	const allow = limiter({ burst: 1 });
	assert.deepEqual([allow(), allow()], [true, false]);
});
`;
const KIND =
	'test("is a function", () => assert.equal(typeof limiter({ burst: 1 }), "function"));\n';
const SKIPPED = TWO.replace("test(", "test.skip(");
const LIMITER = `export function limiter({ burst }) {
	let left = burst;
	return () => left-- > 0;
}
`;

/** A limiter with these tests instead of those of the base, and what a check of it says with allowances of these kinds. */
function limiting(limiter: string, tests: string, before = TWO + ONE + KIND) {
	const repo = repository({
		files: {
			"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
			"src/limiter.js": LIMITER,
			"test/limiter.test.js": HEAD + before,
		},
	});
	tidyLater(() => repo.remove());
	repo.write({
		"src/limiter.js": limiter,
		"test/limiter.test.js": HEAD + tests,
	});
	return (...kinds: readonly string[]) =>
		spar(repo, [
			"check",
			...kinds.flatMap((kind) => ["--allow", `test/limiter.test.js:${kind}:it is meant`]),
		]);
}

/** A limiter that lets one call more through. */
const broken = (tests: string, before?: string) =>
	limiting(LIMITER.replace("> 0", ">= 0"), tests, before);

test("who lets a test be skipped lets no other one go, and each step that is printed is enough", async () => {
	const check = broken(SKIPPED + KIND);
	const first = await check();
	expect(first.stdout).toMatch(/^fail/);
	const printed = first.stdout.match(/--allow '[^']*'/g);
	expect(printed).toEqual([
		"--allow 'test/limiter.test.js:skip:the reason'",
		"--allow 'test/limiter.test.js:weaken:the reason'",
	]);
	const skip = await check("skip");
	expect(skip.stdout).toMatch(/^fail/);
	expect(skip.stdout.replaceAll(/\s+/g, " ")).toContain(
		'test > a burst of one" ran before but no longer runs',
	);
	const both = await check("skip", "weaken");
	expect(both.stdout).toMatch(/^pass, 1 test not counted/);
	expect(both.code).toBe(0);
});

test("beside a skipped test that is allowed, another one may not notice less", async () => {
	const right = (tests: string) => limiting(LIMITER, tests)("skip");
	const honest = await right(SKIPPED + ONE + KIND);
	expect(honest.stdout).toMatch(/^pass, 1 test not counted/);
	const weak = ONE.replace("[allow(), allow()], [true, false]", "[allow(), allow()].length, 2");
	const weakened = await right(SKIPPED + weak + KIND);
	expect(weakened.stdout).toMatch(/^fail/);
	expect(weakened.stdout.replaceAll(/\s+/g, " ")).toContain(
		"its tests notice less: nothing notices when limiter({burst: 1})",
	);
});

test("of a skipped group that its runner names alone, the cases are gone, and a person is asked about them", async () => {
	const group = (tests: string, skip = ""): string =>
		`import { describe } from "node:test";\ndescribe${skip}("bursts", () => {\n${tests}});\n`;
	const check = broken(group(TWO + ONE, ".skip") + KIND, group(TWO + ONE) + KIND);
	const { stdout } = await check("skip");
	expect(stdout).toMatch(/^fail/);
	expect(stdout).toContain("--allow 'test/limiter.test.js:weaken:the reason'");
	const both = await check("skip", "weaken");
	expect(both.stdout).toMatch(/^review, 1 test not counted/);
	expect(both.stdout).toContain("the product fails what it asked before");
});

test("of what an allowance lets go no test of the base is told as passed", async () => {
	const { stdout } = await broken(SKIPPED + ONE.replace("[true, false]", "[true, true]") + KIND)(
		"weaken",
		"skip",
	);
	const said = stdout.replaceAll(/\s+/g, " ");
	expect(said).toContain(
		"the base's tests on the work pass, 1 of 1 passed: 2 tests of the base left out, as the task allows",
	);
});
