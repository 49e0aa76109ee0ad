import { expect, test } from "vitest";
import { z } from "zod";
import { type Files, repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const report = z.looseObject({
	verdict: z.enum(["pass", "review", "fail"]),
	integrity: z.looseObject({ violations: z.array(z.string()) }),
	suspicions: z.array(z.looseObject({ rule: z.string(), file: z.string() })),
});

const FILES = 30;

/** Thirty files of tests, each with its own number, as they are written with some names. */
function suite(text: (at: number) => string): Files {
	const numbers = Array.from({ length: FILES }, (_, at) => at + 1);
	return Object.fromEntries(numbers.map((at) => [`test/t${at}.test.js`, text(at)]));
}

const PRODUCT = "export const fee = (n) => n * 2;\n";
const MANIFEST =
	'{ "type": "module", "scripts": { "test": "node --test --test-isolation=none" } }\n';

const before = (at: number): string => `import assert from "node:assert";
import { test } from "node:test";
import { fee } from "../src/fee.js";
import { feeOf } from "./helper.js";

test("fee of ${at}", () => {
	assert.equal(fee(${at}), ${at * 2});
	assert.equal(feeOf({ n: ${at} }), ${at * 2});
});
`;
const HELPER = 'import { fee } from "../src/fee.js";\nexport const feeOf = ({ n }) => fee(n);\n';

const BASE: Files = {
	"package.json": MANIFEST,
	"src/fee.js": PRODUCT,
	"test/helper.js": HELPER,
	...suite(before),
};

async function askedOf(head: Files): Promise<readonly string[]> {
	const repo = repository({ files: BASE });
	tidyLater(() => repo.remove());
	repo.git("checkout", "-q", "-b", "work");
	repo.write(head);
	repo.commit("One change in all tests");
	const { stdout, stderr } = await spar(repo, ["check", "work", "--base", "main", "--json"]);
	expect(stdout, stderr).not.toBe("");
	const { integrity, suspicions } = report.parse(JSON.parse(stdout));
	return [...integrity.violations, ...suspicions.map(({ rule, file }) => `${rule} ${file}`)];
}

test("a function of the product that gets another name in all tests is one question", async () => {
	const renamed = (text: string): string => text.replaceAll(/\bfee\b(?!\.js| of)/g, "price");
	const head = {
		"src/fee.js": renamed(PRODUCT),
		"test/helper.js": renamed(HELPER),
		...suite((at) => renamed(before(at))),
	};
	expect(await askedOf(head)).toEqual(["other_expected test/helper.js"]);
});

test("thirty files that a formatter rewrites are no question", async () => {
	const formatted = (text: string): string =>
		text
			.replaceAll("\t", "  ")
			.replaceAll('"', "'")
			.replaceAll(/assert\.equal\((.*), (\d+)\);/g, "assert.equal(\n    $1,\n    $2,\n  );");
	expect(await askedOf(suite((at) => formatted(before(at))))).toEqual([]);
});

test("one of thirty renamed files that asks less as well is a question of its own", async () => {
	const renamed = (text: string): string => text.replaceAll("feeOf", "priceOf");
	const weak = (at: number): string =>
		at === 7 ? before(at).replace("equal(fee(7), 14)", "ok(fee(7))") : before(at);
	const head = { "test/helper.js": renamed(HELPER), ...suite((at) => renamed(weak(at))) };
	expect(await askedOf(head)).toEqual([
		"test_changed test/helper.js",
		"test_changed test/t7.test.js",
	]);
});
