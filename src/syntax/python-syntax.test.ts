import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../../test/support/amount.ts";
import { nodesOf } from "./module-syntax.ts";
import { type PythonRunner, pythonTrees } from "./python-syntax.ts";

const python: PythonRunner = async (args, input) => {
	const { status, stdout } = spawnSync("python3", args, { input, encoding: "utf8" });
	return status === 0 ? stdout : null;
};

/** Where there is no Python, nothing is read, which is what a user has there. */
const isThere = spawnSync("python3", ["--version"]).status === 0;

const TEXT = "s = 'ä😀'\r\ndef test_a():\n    assert (f() == 1.5), None\n";

thorough(
	"Python's parser gives the nodes of a text with their places, and none for what is no Python",
	async () => {
		const [tree, broken, deep] = await pythonTrees(
			[TEXT, "a = (", `${"(".repeat(100_000)}1${")".repeat(100_000)}`],
			python,
		);
		expect([broken, deep]).toEqual([null, null]);
		const shown = tree == null ? [] : [...nodesOf(tree)].map(({ node }) => node);
		const texts = shown.map(({ type, start, end }) => [type, TEXT.slice(start, end)]);
		expect(texts).toEqual(
			isThere
				? expect.arrayContaining([
						["Constant", "'ä😀'"],
						["Compare", "f() == 1.5"],
						["Assert", "assert (f() == 1.5), None"],
					])
				: [],
		);
	},
);

thorough("nothing of a text is run", async () => {
	const [tree] = await pythonTrees(["import sys\nsys.exit(3)\n"], python);
	expect(tree?.type ?? null).toBe(isThere ? "Module" : null);
});

const textsIn = (input: string): string[] => z.array(z.string()).parse(JSON.parse(input));
const tree = (name: string) => ({ type: name, start: 0, end: 1 });

test("a text that ends the parser takes no other with it", async () => {
	const fragile: PythonRunner = async (_args, input) => {
		const texts = textsIn(input);
		return texts.includes("crash") ? null : JSON.stringify(texts.map((text) => tree(text)));
	};
	expect(await pythonTrees(["a", "crash", "b"], fragile)).toEqual([tree("a"), null, tree("b")]);
	expect(await pythonTrees([], fragile)).toEqual([]);
});

test("an answer that is no list of trees counts as none", async () => {
	for (const answer of ["{", "3", '[{ "a": 1 }]'])
		expect(await pythonTrees(["a"], async () => answer)).toEqual([null]);
});
