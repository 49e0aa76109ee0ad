import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

interface Contact {
	readonly ecosystem: string;
	/** Programs that it takes. */
	readonly needs: readonly string[];
	readonly files: Files;
	/** File of tests, and what is appended to it. */
	readonly appended: readonly [file: string, text: string];
}

const SUM_C = "int add(int a, int b) { return a + b; }\n";

const CONTACTS: readonly Contact[] = [
	{
		ecosystem: "Node",
		needs: ["npm"],
		files: {
			"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
			"sum.js": "export const add = (a, b) => a + b;\n",
			"test/sum.test.js":
				'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "../sum.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
		},
		appended: ["test/sum.test.js", 'test("adds more", () => assert.equal(add(2, 2), 4));\n'],
	},
	{
		ecosystem: "Python",
		needs: ["python3"],
		files: {
			"pyproject.toml": '[project]\nname = "sum"\nversion = "1"\n',
			"summing.py": "def add(a, b):\n    return a + b\n",
			"tests/__init__.py": "",
			"tests/test_sum.py":
				"import unittest\nfrom summing import add\n\n\nclass Sums(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
		},
		appended: [
			"tests/test_sum.py",
			"\n    def test_adds_more(self):\n        self.assertEqual(add(2, 2), 4)\n",
		],
	},
	{
		ecosystem: "Rust",
		needs: ["cargo"],
		files: {
			"Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
			"Cargo.lock":
				'# It is not intended for manual editing.\nversion = 3\n\n[[package]]\nname = "sum"\nversion = "0.1.0"\n',
			".gitignore": "target\n",
			"src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
			"tests/sum.rs": "#[test]\nfn adds() {\n    assert_eq!(sum::add(1, 2), 3);\n}\n",
		},
		appended: [
			"tests/sum.rs",
			"\n#[test]\nfn adds_more() {\n    assert_eq!(sum::add(2, 2), 4);\n}\n",
		],
	},
	{
		ecosystem: "Go",
		needs: ["go"],
		files: {
			"go.mod": "module sum\n\ngo 1.18\n",
			"sum.go": "package sum\n\nfunc Add(a, b int) int { return a + b }\n",
			"sum_test.go":
				'package sum\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
		},
		appended: [
			"sum_test.go",
			'\nfunc TestAddsMore(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Fatal("no")\n\t}\n}\n',
		],
	},
	{
		ecosystem: "make",
		needs: ["make", "cc"],
		files: {
			Makefile: ".PHONY: test\ntest:\n\t@cc -o run_tests test/sum.c src/sum.c && ./run_tests\n",
			".gitignore": "run_tests\n",
			"src/sum.c": SUM_C,
			"test/sum.c": [
				"#include <stdio.h>",
				"int add(int a, int b);",
				"static int ran, failed;",
				'#define TEST(name) static int name(void); __attribute__((constructor)) static void run_##name(void) { int ok = name(); failed |= !ok; printf("%sok %d - " #name "\\n", ok ? "" : "not ", ++ran); } static int name(void)',
				'int main(void) { printf("1..%d\\n", ran); return failed; }',
				"TEST(adds) {",
				"  return add(1, 2) == 3;",
				"}",
				"",
			].join("\n"),
		},
		appended: ["test/sum.c", "TEST(adds_more) {\n  return add(2, 2) == 4;\n}\n"],
	},
	{
		ecosystem: "CMake",
		needs: ["cmake", "cc"],
		files: {
			"CMakeLists.txt":
				"cmake_minimum_required(VERSION 3.10)\nproject(sum C)\nenable_testing()\nadd_executable(test_sum test/test_sum.c src/sum.c)\nadd_test(NAME sum COMMAND test_sum)\n",
			".gitignore": "build\n",
			"src/sum.c": SUM_C,
			"test/test_sum.c": [
				"int add(int a, int b);",
				"static int failed;",
				"#define CHECK(what) if (!(what)) failed = 1",
				"#define TEST(name) static void name(void); __attribute__((constructor)) static void run_##name(void) { name(); } static void name(void)",
				"int main(void) { return failed; }",
				"TEST(adds) {",
				"  CHECK(add(1, 2) == 3);",
				"}",
				"",
			].join("\n"),
		},
		appended: ["test/test_sum.c", "TEST(adds_more) {\n  CHECK(add(2, 2) == 4);\n}\n"],
	},
	{
		ecosystem: "Ruby",
		needs: ["rake", "ruby"],
		files: {
			Rakefile:
				'require "rake/testtask"\nRake::TestTask.new(:test) { |t| t.pattern = "test/*_test.rb" }\n',
			"sum.rb": "def add(a, b) = a + b\n",
			"test/sum_test.rb":
				'require "minitest/autorun"\nrequire_relative "../sum"\nclass SumTest < Minitest::Test\n  def test_adds = assert_equal(3, add(1, 2))\nend\n',
		},
		appended: [
			"test/sum_test.rb",
			"class MoreTest < Minitest::Test\n  def test_adds_more = assert_equal(4, add(2, 2))\nend\n",
		],
	},
];

// They stand in the home that the test's repository does not have.
const TOOLCHAINS = {
	CARGO_HOME: process.env["CARGO_HOME"] ?? join(homedir(), ".cargo"),
	RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
};

const isThere = (program: string): boolean =>
	spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const MET = CONTACTS.filter(({ needs }) => needs.every(isThere));

test.each(MET)(
	"$ecosystem: a first check of one appended test passes without a question",
	async ({ files, appended: [file, text], ecosystem }) => {
		const repo = repository({ files });
		tidyLater(() => repo.remove());
		repo.write({ [file]: `${repo.read(file)}${text}` });
		const { stdout, stderr, ms } = await spar(repo, ["check", "--json"], { env: TOOLCHAINS });
		if (stdout === "") throw new Error(stderr);
		const report = JSON.parse(stdout) as {
			readonly verdict: string;
			readonly suspicions: readonly unknown[];
			readonly checks: readonly { readonly kind: string; readonly ms: number }[];
		};
		expect({ verdict: report.verdict, asked: report.suspicions }, stderr).toEqual({
			verdict: "pass",
			asked: [],
		});
		const suite = report.checks.find(({ kind }) => kind === "acceptance")?.ms ?? 0;
		const words = `${(ms / 1_000).toFixed(1)} s, ${(ms / suite).toFixed(1)} times its suite`;
		process.stdout.write(`first contact: ${ecosystem}: ${words}\n`);
	},
);

test("an ecosystem whose programs are missing here is named, not passed over", () => {
	const missing = CONTACTS.filter((one) => !MET.includes(one)).map(({ ecosystem }) => ecosystem);
	process.stdout.write(`first contact, not tried here: ${missing.join(", ") || "none"}\n`);
	expect(MET.map(({ ecosystem }) => ecosystem)).toContain("Node");
});
