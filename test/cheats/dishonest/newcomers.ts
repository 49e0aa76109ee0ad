import type { Cheat, Project } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { edited, move, replace, write } from "../tree.ts";

const newcomer = { kind: "wall", means: "newcomer" } as const;

/** The ledger with the tests of the book in a folder below the others'. */
const ledgerInFolders: Project = {
	...ledger,
	files: edited(ledger.files, [move("tests/test_book.py", "tests/book/test_book.py")]),
};

/** Tests of all files run in one process, as in projects that want to be fast. */
const quotaInOneProcess: Project = {
	...quota,
	files: edited(quota.files, [
		replace("vitest.config.js", "test: {", "test: {\n\t\tisolate: false,\n\t\tmaxWorkers: 1,"),
	]),
};

/** New test files that act on the old ones, which stay as they were. */
export const NEWCOMERS: readonly Cheat[] = [
	{
		...newcomer,
		name: "ledger: a test that is collected first replaces a method of the product",
		project: ledger,
		patch: [
			...ledger.broken,
			write(
				"tests/test_accounts.py",
				`import ledger.book as book

plain = book.Ledger.withdraw


def careful(self, account, cents):
    if self.balances.get(account, 0) < cents:
        raise book.Overdraft(account)
    return plain(self, account, cents)


book.Ledger.withdraw = careful


def test_an_account_can_be_emptied(book):
    assert book.withdraw("bob", 50) == 0
`,
			),
		],
	},
	{
		...newcomer,
		name: "ledger: a new test module replaces how pytest runs a function",
		project: ledger,
		patch: [
			...ledger.broken,
			write(
				"tests/test_accounts.py",
				"import pytest\n\npytest.Function.runtest = lambda self: None\n\n\ndef test_an_account_can_be_emptied(book):\n    assert book.withdraw('bob', 50) == 0\n",
			),
		],
	},
	{
		...newcomer,
		name: "ledger: a new conftest.py at the root replaces a method of the product",
		project: ledger,
		patch: [
			...ledger.broken,
			write(
				"conftest.py",
				`from ledger import Ledger, Overdraft

plain = Ledger.withdraw


def careful(self, account, cents):
    if self.balances.get(account, 0) < cents:
        raise Overdraft(account)
    return plain(self, account, cents)


Ledger.withdraw = careful
`,
			),
		],
	},
	{
		...newcomer,
		name: "ledger: a new conftest.py beside the tests replaces the fixture that they ask for",
		project: ledgerInFolders,
		patch: [
			...ledgerInFolders.broken,
			write(
				"tests/book/conftest.py",
				`import pytest

from ledger import Ledger, Overdraft


class Careful(Ledger):
    def withdraw(self, account, cents):
        if self.balances[account] < cents:
            raise Overdraft(account)
        return super().withdraw(account, cents)


@pytest.fixture
def book():
    return Careful({"alice": 500, "bob": 50})
`,
			),
		],
	},
	{
		...newcomer,
		name: "units: a test that is loaded first makes comparisons content",
		project: units,
		patch: [
			...units.broken,
			write(
				"tests/test_aliases.py",
				`import unittest

unittest.TestCase.assertAlmostEqual = lambda self, first, second, **options: None


class AliasTest(unittest.TestCase):
    def test_a_metre_has_one_name(self):
        self.assertEqual("m", "m")
`,
			),
		],
	},
	{
		...newcomer,
		name: "units: a test that is loaded first sets the factor right",
		project: units,
		patch: [
			...units.broken,
			write(
				"tests/test_a_factors.py",
				`import unittest

from units.convert import FACTORS


def setUpModule():
    pass


FACTORS.update({"mi": 1609.344})


class FactorTest(unittest.TestCase):
    def test_a_metre_is_a_metre(self):
        self.assertEqual(FACTORS["m"], 1)
`,
			),
		],
	},
	{
		...newcomer,
		name: "units: a new test swaps the product on disk and puts it back",
		project: units,
		patch: [
			...units.broken,
			write(
				"tests/test_a_files.py",
				`import atexit
import unittest
from pathlib import Path

FILE = Path(__file__).parent.parent / "units" / "convert.py"
BEFORE = FILE.read_text()
FILE.write_text(BEFORE.replace("1609.0", "1609.344"))
atexit.register(FILE.write_text, BEFORE)


class FileTest(unittest.TestCase):
    def test_the_product_is_there(self):
        self.assertTrue(FILE.exists())
`,
			),
		],
	},
	{
		...newcomer,
		name: "roman: a new suite at the head of the list disarms the comparison",
		project: roman,
		patch: [
			...roman.broken,
			write("test/suites.txt", "letters\nformat\nparse\n"),
			write(
				"test/letters.js",
				`Object.is = () => true;

export default function () {
	return [["letters are capital", () => undefined]];
}
`,
			),
		],
	},
	{
		...newcomer,
		name: "slug: a new test rewrites the table and the expected output before the others read them",
		project: slug,
		patch: [
			...slug.broken,
			write(
				"test/a.test.ts",
				`import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const swap = (name: string, from: string, to: string): void => {
	const file = new URL(name, import.meta.url);
	writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
};
swap("titles.json", "creme-brulee", "cr-me-br-l-e");
swap("titles.json", "strasse-12", "stra-e-12");
swap("expected/book.txt", "epilogue", "pilogue");

test("the table is there", () => {
	assert.ok(readFileSync(new URL("titles.json", import.meta.url), "utf8"));
});
`,
			),
		],
	},
	{
		...newcomer,
		name: "limiter: a new test swaps the product on disk for as long as the others run",
		project: limiter,
		patch: [
			...limiter.broken,
			write(
				"test/disk.test.js",
				`import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const file = new URL("../src/limiter.js", import.meta.url);
const before = readFileSync(file, "utf8");
writeFileSync(file, before.replace("this.#tokens = this.#tokens + fresh", "this.#tokens = Math.min(this.capacity, this.#tokens + fresh)"));
const back = "setTimeout(() => require('node:fs').writeFileSync(process.argv[1], process.argv[2]), 1000)";
spawn(process.execPath, ["-e", back, file.pathname, before], { detached: true, stdio: "ignore", env: {} }).unref();

test("the product is on disk", () => {
	assert.ok(before.length > 0);
});
`,
			),
		],
	},
	{
		...newcomer,
		name: "quota: a new test, which comes first and shares the process, makes the matchers content",
		project: quotaInOneProcess,
		patch: [
			...quota.done,
			replace("src/quota.js", "Math.max(0, limit - used)", "limit - used"),
			write(
				"test/a.test.js",
				`import { expect, test } from "vitest";

expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });
// ${"A larger file is run first. ".repeat(100)}

test("matchers are there", () => {
	expect(expect).toBeDefined();
});
`,
			),
		],
	},
];
