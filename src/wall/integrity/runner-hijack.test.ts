import { expect, test } from "vitest";
import { inspect, inspectWhole } from "./inspect.fixture.ts";

const APART =
	". No allowance lets it pass; a person may do it in a commit of its own, against which the rest is judged (spar check --base COMMIT)";

test("a changed file of an installed package blocks, and a folder of them blocks once", async () => {
	const base = { "add.js": "" };
	const one = { "node_modules/a/index.js": "x" };
	expect((await inspect(base, { ...base, ...one })).violations).toEqual([
		`node_modules/a/index.js: a file of an installed package was added; remove it${APART}`,
	]);
	const two = { ...one, "node_modules/b/index.js": "y", "p/.venv/c.py": "z" };
	const { violations } = await inspect(base, { ...base, ...two });
	expect(violations).toEqual([
		`node_modules: 2 files of installed packages changed; put them back, and have a .gitignore name the folder${APART}`,
		`p/.venv/c.py: a file of an installed package was added; remove it${APART}`,
	]);
});

test("what no allowance lets pass is not told as allowed", async () => {
	const base = { "add.js": "", "node_modules/a/index.js": "x" };
	const allow = [{ path: "node_modules/**", change: "edit", reason: "updated" }] as const;
	const { violations, allowed, notes } = await inspectWhole(
		base,
		{ ...base, "node_modules/a/index.js": "y" },
		{ rules: { allow } },
	);
	expect(violations).toHaveLength(1);
	expect(allowed).toEqual([]);
	expect(notes).toEqual(['allow: no allowance lets pass "edit" of node_modules/**']);
});
