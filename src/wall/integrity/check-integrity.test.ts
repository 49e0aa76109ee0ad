import { describe, expect, test } from "vitest";
import { type Files, inspect } from "./inspect.fixture.ts";

const scripts = (map: Files, more: object = {}) => JSON.stringify({ scripts: map, ...more });

test("code, new tests and dependencies may change freely", async () => {
	const found = await inspect(
		{
			"src/a.js": "1",
			"package.json": scripts({ test: "node --test", build: "x" }),
			"test/a.test.js": "assert(1)",
		},
		{
			"src/a.js": "2",
			"package.json": scripts({ test: "node --test", build: "y" }, { dependencies: { a: "1" } }),
			"test/a.test.js": "assert(1); assert(2)",
			"test/b.test.js": "assert(2)",
		},
	);
	expect(found).toEqual({ violations: [], notes: [] });
});

describe("guarded places", () => {
	const rules = { protected: ["guarded/**", "./dir/"], workflowFile: "sparring.yaml" };
	test("a changed protected file blocks, a new one is shown; no name evades the glob", async () => {
		const found = await inspect(
			{ "guarded/.a\nb": "1", "dir/x": "1" },
			{ "guarded/.a\nb": "2", "guarded/new": "1" },
			{ rules },
		);
		expect(found.violations).toEqual([
			'"guarded/.a\\nb": this protected file was modified; restore it',
			"dir/x: this protected file was deleted; restore it",
		]);
		expect(found.notes).toEqual(["guarded/new: a new file in a protected place"]);
	});

	test("the workflow file may neither change nor appear", async () => {
		expect(
			(await inspect({ "sparring.yaml": "1" }, { "sparring.yaml": "2" }, { rules })).violations[0],
		).toContain("restore it");
		expect((await inspect({}, { "sparring.yaml": "2" }, { rules })).violations[0]).toContain(
			"remove it",
		);
	});
});

describe("links and ignored files", () => {
	test.each([["/etc/passwd"], ["../../x"], ["../.git/config"], ["C:\\x"], [""]])(
		"a link to %j blocks",
		async (target) => {
			const found = await inspect({}, { "src/l": target }, { modes: { "src/l": "120000" } });
			expect(found.violations).toHaveLength(1);
		},
	);

	test("a link inside the checkout and a deleted one are allowed", async () => {
		expect(
			(
				await inspect(
					{ old: "/x" },
					{ "src/l": "../a" },
					{ modes: { "src/l": "120000", old: "120000" } },
				)
			).violations,
		).toEqual([]);
	});

	test("submodules and embedded repositories block", async () => {
		const found = await inspect(
			{},
			{ sub: "x" },
			{ modes: { sub: "160000" }, pair: { embedded: ["my repo: left out"] } },
		);
		expect(found.violations).toHaveLength(2);
	});

	test("files that only a changed .gitignore lets in block", async () => {
		const pair = {
			ignoredByBase: async (paths: string[]) => paths.filter((path) => path.startsWith("lib/")),
		};
		const head = { ".gitignore": "", "lib/x.js": "1" };
		expect((await inspect({ ".gitignore": "lib" }, head, { pair })).violations).toHaveLength(1);
		expect((await inspect({}, { "lib/x.js": "1" }, { pair })).violations).toEqual([]);
		const locked = { ".gitignore": "", "lib/uv.lock": "1" };
		expect((await inspect({ ".gitignore": "lib" }, locked, { pair })).violations).toEqual([]);
	});
});
