import { describe, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { sidesOf } from "./sides.fixture.ts";

const NONE: ReadonlyMap<string, string> = new Map();

const MODULES = {
	"package.json": '{"scripts":{"test":"node --test"},"main":"index.js"}',
	"index.js": 'export * from "./src/limiter.js";',
	"src/limiter.js": 'import { rates } from "./rates.js";',
	"src/rates.js": 'readFileSync("data/rates.json")',
	"src/migrations/1.sql": "",
	"test/limiter.test.js": 'import { limit } from "../src/limiter.js";',
	"test/data/cases.json": "{}",
	"scripts/release.js": "",
	"gulpfile.js": "",
	"data/rates.json": "{}",
	"README.md": "",
};

thorough("the time for many files grows with their number", async () => {
	const user = 'import { a } from "./a.js";\n';
	const files = Array.from({ length: 6_000 }, (_, at) => [`src/user${at}.js`, user] as const);
	const startedAt = performance.now();
	const sides = await sidesOf({
		"src/a.js": "",
		"src/a.test.js": user,
		...Object.fromEntries(files),
	});
	const grown = new Map(files.slice(0, 1_000).map(([, text], at) => [`new/${at}.js`, text]));
	expect([...grown.keys()].filter((file) => sides.classOf(file, grown) === "product")).toEqual([]);
	expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("a new file is the product's where code names its folder and computes its name", async () => {
	const { classOf } = await sidesOf(MODULES);
	const of = (text: string) => classOf("locales/en.json", new Map([["src/limiter.js", text]]));
	expect(of(["load(`../locales/$", "{language}.json`)"].join(""))).toBe("product");
	expect(of('glob("./locales/*.json")')).toBe("product");
	expect(of("load(language)")).toBe("apparatus");
});

test("a new file to which an import of the product may lead is the product's, and beside a test it is none", async () => {
	const sides = await sidesOf({
		"pairs.py": "",
		"tests/test_pairs.py": "from pairs import gcd\nfrom tests.kit import close\n",
		"tests/kit.py": "import unittest\n",
	});
	const classOf = (file: string) => sides.classOf(file, NONE);
	expect(["pairs/__init__.py", "other/__init__.py"].map(classOf)).toEqual(["product", "apparatus"]);
	expect(classOf("tests/kit/__init__.py")).toBe("apparatus");
});

describe("a project in JavaScript", () => {
	test.each([
		["index.js", "product"],
		["src/limiter.js", "product"],
		["src/more.js", "product"],
		["src/migrations/2.sql", "product"],
		["src/page.css", "product"],
		["data/rates.json", "product"],
		["package.json", "product"],
		["package-lock.json", "product"],
		["README.md", "prose"],
		["docs/logo.png", "prose"],
		["LICENSE", "prose"],
		["LICENSE-MIT", "prose"],
		["CHANGELOG.md", "prose"],
		["scripts/license-check.mjs", "apparatus"],
		[".github/workflows/changelog.yml", "apparatus"],
		["notes.txt", "prose"],
		[".env.example", "prose"],
		["CMakeLists.txt", "apparatus"],
		["requirements.txt", "product"],
		["test/limiter.test.js", "apparatus"],
		["test/more.test.js", "apparatus"],
		["test/data/cases.json", "apparatus"],
		["vitest.config.ts", "apparatus"],
		["src/vitest.config.ts", "apparatus"],
		["scripts/release.js", "apparatus"],
		["scripts/new.js", "apparatus"],
		["gulpfile.js", "apparatus"],
		["index.ts", "apparatus"],
		["Dockerfile", "apparatus"],
		["Makefile", "apparatus"],
		["CODEOWNERS", "apparatus"],
		[".github/workflows/ci.yml", "apparatus"],
		[".husky/pre-commit", "apparatus"],
		[".gitattributes", "apparatus"],
		[".env", "apparatus"],
		[".npmrc", "apparatus"],
		["AGENTS.md", "apparatus"],
		["settings.toml", "apparatus"],
		["pom.xml", "apparatus"],
	])("%s is %s", async (file, expected) => {
		expect((await sidesOf(MODULES)).classOf(file, NONE)).toBe(expected);
	});

	test("a new file belongs to the product once new code imports or names it", async () => {
		const { classOf } = await sidesOf(MODULES);
		const grown = new Map([
			["src/limiter.js", 'import "../lib/clock.js"; open("etc/limits.yaml");'],
			["lib/clock.js", ""],
		]);
		expect(classOf("lib/clock.js", NONE)).toBe("apparatus");
		expect(classOf("lib/clock.js", grown)).toBe("product");
		expect(classOf("etc/limits.yaml", NONE)).toBe("apparatus");
		expect(classOf("etc/limits.yaml", grown)).toBe("product");
	});

	test("a new file of settings is apparatus where it would govern code that is there", async () => {
		const { classOf } = await sidesOf(MODULES);
		expect(classOf("src/package.json", NONE)).toBe("apparatus");
		expect(classOf("tsconfig.json", NONE)).toBe("apparatus");
		expect(classOf("src/new/package.json", NONE)).toBe("product");
	});

	test("an existing file does not leave the apparatus by being imported", async () => {
		const { classOf } = await sidesOf(MODULES);
		const grown = new Map([["src/limiter.js", 'import "../scripts/release.js";']]);
		expect(classOf("scripts/release.js", grown)).toBe("apparatus");
	});

	test("a new file that may be found instead of an imported one is known with what it displaces", async () => {
		const { displacedBy } = await sidesOf(MODULES);
		expect(displacedBy("src/limiter.ts")).toContain("src/limiter.js");
		expect(displacedBy("src/other.ts")).toEqual([]);
	});
});

describe("languages whose imports are not followed", () => {
	const GO = {
		"go.mod": "module a",
		"cmd/a/main.go": "",
		"limit/limit.go": "",
		"limit/limit_test.go": "",
	};

	test("their code is product wherever it stands, and nothing else is", async () => {
		const { classOf } = await sidesOf(GO, { run: "go test ./..." });
		expect(classOf("limit/limit.go", NONE)).toBe("product");
		expect(classOf("new/new.go", NONE)).toBe("product");
		expect(classOf("limit/limit_test.go", NONE)).toBe("apparatus");
		expect(classOf("config.yaml", NONE)).toBe("apparatus");
	});
});

test("a new module of Python with the name of one of its library displaces that", async () => {
	const { displacedBy } = await sidesOf({
		"app/main.py": "import json",
		"csv.py": "",
		"t/test_a.py": "",
	});
	for (const file of ["json.py", "src/json.py", "tests/decimal.py", "statistics/__init__.py"])
		expect([file, displacedBy(file).length]).toEqual([file, 1]);
	for (const file of ["app/json.py", "csv/more.py", "limits.py", "json.js"])
		expect([file, displacedBy(file)]).toEqual([file, []]);
});

test("hidden documents that people read are prose, and instructions of agents are not", async () => {
	const { classOf } = await sidesOf(MODULES);
	const shown = [".verb.md", ".github/THREAT_MODEL.md", ".github/ISSUE_TEMPLATE/bug.md"];
	expect(shown.map((file) => classOf(file, NONE))).toEqual(shown.map(() => "prose"));
	const told = [
		".github/copilot-instructions.md",
		".github/prompts/a.md",
		".cursor-rules.md",
		".claude/a.md",
	];
	expect(told.map((file) => classOf(file, NONE))).toEqual(told.map(() => "apparatus"));
});

test("what is built is the product's", async () => {
	expect((await sidesOf(MODULES)).classOf("dist/limiter.js", NONE)).toBe("product");
});
