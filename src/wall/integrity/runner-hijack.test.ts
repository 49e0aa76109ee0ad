import { expect, test } from "vitest";
import { inspect } from "./inspect.fixture.ts";

test("a changed file of an installed package blocks, and a folder of them blocks once", async () => {
	const base = { "add.js": "" };
	const one = { "node_modules/a/index.js": "x" };
	expect((await inspect(base, { ...base, ...one })).violations).toEqual([
		"node_modules/a/index.js: a file of an installed package was added; remove it",
	]);
	const two = { ...one, "node_modules/b/index.js": "y", "p/.venv/c.py": "z" };
	const { violations } = await inspect(base, { ...base, ...two });
	expect(violations).toEqual([
		"node_modules: 2 files of installed packages changed; put them back, and have a .gitignore name the folder",
		"p/.venv/c.py: a file of an installed package was added; remove it",
	]);
});
