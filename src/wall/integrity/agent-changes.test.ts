import { describe, expect, test } from "vitest";
import type { IntegrityRules } from "../reading/tree-pair.ts";
import { type Files, inspect } from "./inspect.fixture.ts";

const pkg = (scripts: Files) => JSON.stringify({ scripts });
const violations = async (base: Files, head: Files, rules: Partial<IntegrityRules> = {}) =>
	(await inspect(base, { ...base, ...head }, { rules })).violations;

describe("agents' programs", () => {
	const started = (run: string) => ({ checks: [], commands: [{ owner: "agent rev", run }] });
	const base = {
		"tools/coach/index.js": 'import "./rules.mjs"; const a = require("../../lib/ask");',
		"tools/coach/rules.mjs": "1",
		"lib/ask.js": "1",
		"ai/coach.py": "import os, rules as r\nfrom .other import x\nfrom ..top.deep import y",
		"top/deep/__init__.py": "1",
		"ai/rules.py": "1",
		"ai/other.py": "1",
		"run.sh": "#!/bin/sh\nexec node tools/coach\n",
		"package.json": pkg({ coach: "node tools/coach" }),
	};

	test.each([
		["sh -c exec node tools/coach", "tools/coach/rules.mjs"],
		['sh -c "exec node tools/coach"', "tools/coach/index.js"],
		["npm run coach", "tools/coach/rules.mjs"],
		["bash run.sh", "run.sh"],
		["python3 ai/coach.py", "ai/rules.py"],
		["python3 ai/coach.py", "ai/other.py"],
	])("%s: a change of %s blocks", async (run, file) => {
		expect(await violations(base, { [file]: "changed" }, started(run))).toEqual([
			`${file}: a file that agent rev runs was modified; restore it`,
		]);
	});

	test.each([
		["node tools/coach/index.js", "lib/ask.js"],
		["bash run.sh", "lib/ask.js"],
		["python3 ai/coach.py", "top/deep/__init__.py"],
	])("%s: %s is the work that it looks at, and free", async (run, file) => {
		expect(await violations(base, { [file]: "changed" }, started(run))).toEqual([]);
	});

	test("a file that would be found before a program, or instead of a missing one, blocks", async () => {
		expect(await violations(base, { "tools/coach.js": "1" }, started("node tools/coach"))).toEqual([
			"tools/coach.js: a file that agent rev runs was added; remove it",
		]);
		const missing = started("node tools/none");
		expect(await violations(base, { "tools/none/index.js": "1" }, missing)).toHaveLength(1);
		expect(await violations(base, { "agent.sh": "1" }, started("bash agent.sh"))).toHaveLength(1);
		const scripts = { "package.json": pkg({ coach: "true" }) };
		expect(await violations(base, scripts, started("npm run coach"))).toHaveLength(1);
	});

	test("everything else may change, and programs outside of the repository do not count", async () => {
		const head = { "src/a.js": "1", "lib/b.js": "1" };
		expect(await violations(base, head, started("node /opt/coach.mjs"))).toEqual([]);
		expect(await violations(base, head, started("node tools/coach"))).toEqual([]);
		const talk = started("some-agent -p look at package.json");
		const more = { "package.json": pkg({ coach: "node tools/coach", more: "x" }) };
		expect(await violations(base, more, talk)).toEqual([]);
	});
});

describe("installed packages", () => {
	test.each([
		"node_modules/.bin/node",
		"node_modules",
		"p/node_modules/a/index.js",
		".venv/bin/python",
		".yarn/releases/yarn.cjs",
	])("%s blocks", async (file) => {
		expect(await violations({}, { [file]: "1" })).toHaveLength(1);
		expect(await violations({ [file]: "0" }, { [file]: "1" })).toHaveLength(1);
		expect(await violations({}, { [`test/fixtures/${file}`]: "1" })).toEqual([]);
	});
});

describe("links through other links", () => {
	const of = async (links: Files, more: Files = {}) => {
		const modes = Object.fromEntries(Object.keys(links).map((file) => [file, "120000"]));
		return (await inspect(more, { ...more, ...links }, { modes })).violations;
	};

	test("leaving the checkout through another link blocks, and so does a circle", async () => {
		expect(await of({ "deep/a/b/up": "../../..", lnk: "deep/a/b/up/../.." })).toHaveLength(1);
		expect(await of({ lnk: "up/x" }, { up: "../outside" })).toHaveLength(1);
		expect(await of({ lnk: "a/x" }, { a: "b", b: "../.." })).toHaveLength(1);
		expect(await of({ lnk: "a/x/y" }, { a: "a" })).toHaveLength(1);
	});

	test("into .git, also through a link to the root, blocks", async () => {
		expect(await of({ lnk: "root/.git/hooks" }, { root: "." })).toHaveLength(1);
		expect(await of({ "src/lnk": "../sub/.GIT/config" })).toHaveLength(1);
	});

	test("a link through a link that stays inside is allowed", async () => {
		expect(await of({ lnk: "./current/x" }, { current: "versions/1/" })).toEqual([]);
	});
});
