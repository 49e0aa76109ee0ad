import { expect, test } from "vitest";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const SUM = "export const add = (a, b) => a + b;\n";
const HEAD = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
`;
const ADDS = 'test("adds", () => assert.equal(add(1, 2), 3));\n';

const LINT = `import { readFileSync } from "node:fs";
if (readFileSync("src/sum.js", "utf8").includes("\\t")) {
	console.log("src/sum.js: indented with tabs");
	console.log("1 problem of 1 rule");
	process.exit(1);
}
`;

/** Counts its cases, and names none of them. */
const NAMELESS = `import { add } from "../src/sum.js";
const failed = [add(1, 2) === 3, add(2, 2) === 4].filter((holds) => !holds).length;
if (failed > 0) console.log("add is wrong");
console.log(\`  \${2 - failed} passing (2ms)\\n  \${failed} failing\`);
process.exit(failed);
`;

function project(script: string, files: Files): TestRepository {
	const manifest = JSON.stringify({ type: "module", scripts: { test: script } });
	const repo = repository({ files: { "package.json": manifest, "src/sum.js": SUM, ...files } });
	tidyLater(() => repo.remove());
	return repo;
}

test("a red exit without a failed case shows the last lines of the command", async () => {
	const tests = { "test/sum.test.js": HEAD + ADDS, "lint.js": LINT };
	const repo = project("node --test && node lint.js", tests);
	repo.write({ "src/sum.js": `${SUM}export function less(a, b) {\n\treturn a - b;\n}\n` });
	const { code, stdout } = await spar(repo, ["check"]);
	expect(stdout).toMatch(/^fail /);
	expect(stdout).toContain("exit code 1, although no test failed");
	expect(stdout).toMatch(/src\/sum\.js: indented with tabs\n\s+1 problem of 1 rule\n/);
	expect(code).toBe(1);
});

test("of a runner whose cases have no name that is said, with what it printed last", async () => {
	const repo = project("node test/all.js", { "test/all.js": NAMELESS });
	repo.write({ "src/sum.js": SUM.replace("a + b", "a === 2 ? 5 : a + b") });
	const { stdout } = await spar(repo, ["check"]);
	expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
		/^fail .* 1 of 2 tests failed; their names are not known add is wrong 1 passing \(2ms\) 1 failing/,
	);
});

test("a test that is red on the base too is not laid at the door of an added one", async () => {
	const old = 'test("is red", () => assert.equal(add(1, 2), 4));\n';
	const repo = project("node --test", { "test/sum.test.js": HEAD + ADDS + old });
	const added = 'test("adds zero", () => assert.equal(add(1, 0), 1));\n';
	repo.write({ "test/sum.test.js": HEAD + ADDS + old + added });
	const { code, stdout } = await spar(repo, ["check"]);
	expect(stdout).toMatch(/^pass, 1 test not counted \(red base: .*test > is red\) /);
	expect(stdout).toContain("test > is red: it fails on the base too");
	expect(code).toBe(0);
});
