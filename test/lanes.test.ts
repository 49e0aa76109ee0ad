import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "./support/amount.ts";
import { importsOf, OTHER_SUITES, pureTests, thoroughTests } from "./support/lanes.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-lanes-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function pureAmong(files: Readonly<Record<string, string>>): string[] {
	for (const [name, source] of Object.entries(files)) {
		mkdirSync(dirname(join(root, "src", name)), { recursive: true });
		writeFileSync(join(root, "src", name), source);
	}
	return pureTests(root).map((file) => file.replace(/^src\//, ""));
}

test("a test that computes is pure; one that reaches the disk through other files is not", () => {
	const pure = pureAmong({
		"a/adds.test.ts": 'import { add } from "./add.ts";\nimport { test } from "vitest";',
		"a/add.ts": 'import { createHash } from "node:crypto";',
		"b/reads.test.ts": 'import { far } from "../a/far.ts";',
		"a/far.ts": 'export { near } from "./near.ts";',
		"a/near.ts": 'const fs = await import("node:fs/promises");',
	});
	expect(pure).toEqual(["a/adds.test.ts"]);
});

test("tests of the page are looked at as well", () => {
	mkdirSync(join(root, "dashboard"), { recursive: true });
	writeFileSync(join(root, "dashboard", "adds.test.ts"), 'import { test } from "vitest";');
	expect(pureTests(root)).toEqual(["dashboard/adds.test.ts"]);
});

test("of files that import each other all reach what one of them reaches", () => {
	const pure = pureAmong({
		"one.ts": 'import { two } from "./two.ts";\nimport { spawn } from "node:child_process";',
		"two.ts": 'import { one } from "./one.ts";',
		"one.test.ts": 'import { one } from "./one.ts";',
		"two.test.ts": 'import { two } from "./two.ts";',
	});
	expect(pure).toEqual([]);
});

test("what changes the process is kept from those who share it", () => {
	const pure = pureAmong({
		"env.test.ts": 'process.env["HOME"] = "/";',
		"clock.test.ts": "vi.useFakeTimers();",
		"folder.test.ts": 'process.chdir("/");',
		"plain.test.ts": "process.platform;",
	});
	expect(pure).toEqual(["plain.test.ts"]);
});

test("imports are found over several lines and lazily; types and words in texts are none", () => {
	const source = [
		'import type { A } from "./type.ts";',
		'import {\n\tb,\n\ttype C,\n} from "./b.ts";',
		'export * from "./d.ts";',
		'import "./e.ts";',
		'const f = () => import("./f.ts");',
		'const text = "important from";',
	].join("\n");
	expect(importsOf(source)).toEqual(["./b.ts", "./d.ts", "./e.ts", "./f.ts"]);
});

test("what a test of the fast lane leaves out is tried whole in the slow one, whatever folder it is in", () => {
	const leaves = /import \{[^}]*\} from "[^"]*support\/amount\.ts"/;
	const top = join(import.meta.dirname, "..");
	const files = globSync("{src,test,dashboard}/**/*.test.ts", { cwd: top, exclude: OTHER_SUITES });
	const left = files.filter((file) => leaves.test(readFileSync(join(top, file), "utf8")));
	expect(left.length).toBeGreaterThan(100);
	expect(thoroughTests(top)).toEqual(expect.arrayContaining(left));
});

thorough(
	"a test whose contract alone has scenarios for the slow lane is in it, and what machines run tries them all",
	async () => {
		expect(thoroughTests(join(import.meta.dirname, ".."))).toEqual(
			expect.arrayContaining([
				"src/merge/local-branches.test.ts",
				"src/merge/remote-branches.test.ts",
			]),
		);
		const { default: machines } = await import("../vitest.machines.config.ts");
		expect(machines.test?.provide).toHaveProperty("amount", "whole");
	},
);
