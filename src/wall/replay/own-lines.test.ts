import { describe, expect, test } from "vitest";
import { loadModuleParser } from "../../syntax/module-syntax.ts";
import { recordedTree } from "../language/python-trees.fixture.ts";
import { ownChanges } from "./own-lines.ts";

const BASE = `import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { add, twice } from "../src/sum.js";

const BIG = 1_000;
const big = () => BIG;

beforeEach(() => reset());

describe("sums", () => {
	test("adds", () => {
		assert.equal(add(1, 2), 3);
	});
	test("adds a lot", () => assert.equal(add(big(), 1), 1_001));
});

test("doubles", () => {
	assert.equal(twice(2), 4);
});
`;

/** The text with one call skipped: what a judged file says, and no test of this one. */
const asSkipped = (text: string, call: string, rest: string): string =>
	text.replace(call + rest, `${call}.skip${rest}`);

const SOURCES: Readonly<Record<string, string>> = {
	"src/sum.js": "export const add = (a, b) => a + b;\nexport function twice(a) {}\n",
};

async function changesOf(edit: (text: string) => string, sources = SOURCES) {
	const parse = await loadModuleParser();
	const [path, head] = ["test/sum.test.js", edit(BASE)];
	const readHead = async (file: string): Promise<string | null> => sources[file] ?? null;
	return ownChanges({
		path,
		base: BASE,
		head,
		trees: [parse(BASE, path), parse(head, path)],
		readHead,
		skipped: null,
	});
}

describe("an allowed change of a test file excuses", () => {
	test.each([
		[
			"nothing where only other cases are new",
			(text: string) => `${text}test("x", () => {});\n`,
			[],
		],
		["nothing where it is formatted", (text: string) => text.replaceAll("\t", "    "), []],
		["a case whose lines changed", (text: string) => text.replace("2), 4", "2), 5"), ["doubles"]],
		["a case that is renamed", (text: string) => text.replace('"adds"', '"sums"'), ["adds"]],
		[
			"a case that is gone",
			(text: string) => text.slice(0, text.indexOf('test("doubles')),
			["doubles"],
		],
		[
			"the cases that use a helper that changed, also by way of another",
			(text: string) => text.replace("1_000;", "2_000;"),
			["adds a lot"],
		],
		[
			"all cases where what runs before them changed",
			(text: string) => text.replace("reset()", "clear()"),
			["adds", "adds a lot", "doubles"],
		],
		[
			"nothing where a new hook, a new helper or another import acts on them",
			(text: string) =>
				text
					.replace("{ add, twice }", "{ add as plain, twice }")
					.replace(
						"const BIG",
						"const add = (a, b) => Math.round(plain(a, b));\nbeforeEach(fix);\nconst BIG",
					),
			[],
		],
	])("%s", async (_what, edit, cases) => {
		expect((await changesOf(edit))?.names).toEqual(cases);
	});

	test("the cases that use what the product no longer has", async () => {
		const sources = {
			"src/sum.js": "export const add = (a, b) => a + b;\nexport const double = 2;\n",
		};
		const found = await changesOf((text) => text.replaceAll("twice", "double"), sources);
		expect(found?.names).toEqual(["doubles"]);
		expect(found?.text).toContain('import { add, } from "../src/sum.js";');
		expect(found?.text).toContain("var twice;");
		expect(found?.text).toContain('test("doubles", () => {});');
		expect(found?.text).toContain("assert.equal(add(1, 2), 3);");
	});

	test("all that a module had which moved", async () => {
		const sources = { "lib/sum.js": SOURCES["src/sum.js"] ?? "" };
		const found = await changesOf((text) => text.replace("../src/", "../lib/"), sources);
		expect(found?.names).toEqual(["adds", "adds a lot", "doubles"]);
		expect(found?.text).not.toContain("../src/");
	});
});

describe("of tests in tests", () => {
	const NESTED = `import { test } from "node:test";
test("bulk", async (t) => {
	const limit = 3;
	await t.test("one", () => equal(mul(7, 7), 49));
	await t.test("deep", async (context) => {
		await context.test("two", () => equal(add(1, 1), 2));
	});
});
test("other", async (t) => {
	await t.test("one", () => equal(limit, 3));
});
`;
	const nested = async (edit: (text: string) => string) => {
		const parse = await loadModuleParser();
		const [path, head] = ["test/bulk.test.js", edit(NESTED)];
		const trees = [parse(NESTED, path), parse(head, path)] as const;
		return ownChanges({
			path,
			base: NESTED,
			head,
			trees,
			readHead: async () => null,
			skipped: null,
		});
	};

	test("where only skipped ones may go the lines of all others stay", async () => {
		const head = NESTED.replace("1), 2", "1), 3");
		const parse = await loadModuleParser();
		const trees = [parse(NESTED, "a.test.js"), parse(head, "a.test.js")] as const;
		const file = { path: "a.test.js", base: NESTED, head, trees, readHead: async () => null };
		const found = async (skipped: string) =>
			await ownChanges({
				...file,
				skipped: { fatesOf: () => (name) => ({ total: 1, skipped: name === skipped ? 1 : 0 }) },
			});
		expect(await found("none")).toMatchObject({ names: [], emptied: new Map(), text: NESTED });
		expect((await found("two"))?.names).toEqual(["two"]);
		expect((await found("deep"))?.names).toEqual(["deep", "two"]);
	});

	describe("of two with one name, of which a run skips one,", () => {
		const TWINS = `describe("add", () => {
	test("works", () => equal(add(1), 2));
	test("zero", () => equal(add(0), 1));
});
describe("sub", () => {
	test("works", () => equal(sub(1), 0));
});
`;
		const skipping = async (edit: (text: string) => string) => {
			const parse = await loadModuleParser();
			const [path, head] = ["test/twins.test.js", edit(TWINS)];
			const trees = [parse(TWINS, path), parse(head, path)] as const;
			const fateOf = (name: string) =>
				name === "works" ? { total: 2, skipped: 1 } : { total: 1, skipped: 0 };
			const readHead = async () => null;
			return ownChanges({
				path,
				base: TWINS,
				head,
				trees,
				readHead,
				skipped: { fatesOf: () => fateOf },
			});
		};
		const skip = (text: string) => asSkipped(text, "test", '("works", () => equal(sub');

		test("the changed one is let go, and its name excuses no other", async () => {
			const found = await skipping(skip);
			expect(found).toMatchObject({ names: [], emptied: new Map([["works", 1]]) });
			expect(found?.text).toBe(TWINS.replace("equal(sub(1), 0)", "{}"));
		});

		test.each([
			["where both were changed", (text: string) => skip(text).replace("add(1), 2", "add(1), 3")],
			[
				"where the other one's group is skipped",
				(text: string) => asSkipped(text, "describe", '("add"').replace("sub(1), 0", "sub(1), 1"),
			],
		])("none is let go %s", async (_what, edit) => {
			expect(await skipping(edit)).toMatchObject({ emptied: new Map(), text: TWINS });
		});
	});

	describe("of a run that names no case, those that say so are let go", () => {
		const TWO = 'test("one", () => equal(a(), 1));\ntest("two", () => equal(b(), 1));\n';
		const counting = async (head: string, count: number) => {
			const parse = await loadModuleParser();
			const path = "test/two.test.js";
			const trees = [parse(TWO, path), parse(head, path)] as const;
			const readHead = async () => null;
			return await ownChanges({ path, base: TWO, head, trees, readHead, skipped: { count } });
		};
		const skipOf = (name: string, text: string) => asSkipped(text, "test", `("${name}"`);

		test.each([
			["where it skips as many", skipOf("one", TWO), 1, ["one"]],
			["and none that runs with less", skipOf("one", TWO).replace("b(), 1", "b(), 2"), 1, ["one"]],
			["and none where it skips fewer", skipOf("two", skipOf("one", TWO)), 1, []],
			["and none where something beside them changed", `only();\n${skipOf("one", TWO)}`, 1, []],
		])("%s", async (_what, head, count, names) => {
			expect((await counting(head, count))?.names).toEqual(names);
		});
	});

	test("only the innermost that holds a changed line is emptied", async () => {
		const found = await nested((text) => text.replace("1), 2", "1), 3"));
		expect(found?.names).toEqual(["two"]);
		expect(found?.text).toBe(NESTED.replace("equal(add(1, 1), 2)", "{}"));
	});

	test("one that is new or gone does not touch the one that holds it", async () => {
		const line = '	await t.test("one", () => equal(mul(7, 7), 49));\n';
		expect((await nested((text) => text.replace(line, "")))?.text).toContain('context.test("two"');
		expect((await nested((text) => text.replace(line, line + line)))?.names).toEqual([]);
	});

	test("all go with a line of what holds them, and those elsewhere stay", async () => {
		const found = await nested((text) => text.replace("limit = 3;", "limit = 4;"));
		expect(found?.names).toEqual(["bulk", "deep", "two"]);
		expect(found?.text).toContain('test("bulk", async (t) => {});');
		expect(found?.text).toContain('t.test("one", () => equal(limit, 3))');
	});

	test("the name of one that is merely empty excuses no namesake", async () => {
		const found = await nested((text) => text.replace("7), 49", "7), 50"));
		expect(found?.names).toEqual([]);
		expect(found?.text).toBe(NESTED.replace("equal(mul(7, 7), 49)", "{}"));
	});
});

test("a file without cases that its tree shows says nothing", async () => {
	const parse = await loadModuleParser();
	const [path, base, head] = ["test/run.js", "run(1);\n", "run(2);\n"];
	const trees = [parse(base, path), parse(head, path)] as const;
	expect(
		await ownChanges({ path, base, head, trees, readHead: async () => null, skipped: null }),
	).toBeNull();
});

test("Python: cases, fixtures, values of a class, and what the product no longer has", async () => {
	const base = `import pytest
from shop import Cart, total


@pytest.fixture
def cart():
    return Cart(1)


class TestCart:
    limit = 3

    def test_limit(self):
        assert self.limit == 3

    @pytest.mark.slow
    def test_empty(self, cart):
        assert cart.items == []


def test_total():
    assert total(2) == 2


def test_other():
    assert Cart
`;
	const path = "tests/test_shop.py";
	const changes = async (edit: (text: string) => string, shop: string) => {
		const head = edit(base);
		const trees = [await recordedTree(base), await recordedTree(head)] as const;
		const readHead = async (file: string) => (file === "shop.py" ? shop : null);
		return await ownChanges({ path, base, head, trees, readHead, skipped: null });
	};
	const shop = "class Cart:\n    pass\n\n\ndef total(x):\n    return x\n";
	const one = await changes((text) => text.replace("Cart(1)", "Cart(2)"), shop);
	expect(one?.names).toEqual(["test_empty"]);
	expect(one?.text).toContain("def test_empty(self, cart):\n        pass\n");
	expect((await changes((text) => text.replace("limit = 3", "limit = 4"), shop))?.names).toEqual([
		"test_limit",
	]);
	const renamed = await changes(
		(text) => text.replaceAll("total", "sum_of"),
		"class Cart:\n    pass\n",
	);
	expect(renamed?.names).toEqual(["test_total"]);
	expect(renamed?.text).toMatch(/^from shop import Cart$/m);
	expect(renamed?.text).toContain("total = None");
});
