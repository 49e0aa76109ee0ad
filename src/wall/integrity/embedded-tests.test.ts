import { describe, expect, test } from "vitest";
import { asked, checkOf } from "./inspect.fixture.ts";

const PYTHON = `def mean(values):
    """The mean.

    >>> mean([3, 4])
    3.5
    """
    return sum(values) / len(values)
`;
const RUST = `fn mean() {}

#[cfg(test)]
mod tests {
    #[test]
    fn halves() { assert_eq!(mean(), 3.5); }
}
`;
const MODULE = `export const mean = () => 3.5;

if (import.meta.vitest) {
	const { expect, test } = import.meta.vitest;
	test("halves", () => expect(mean()).toBe(3.5));
}
`;

const GUIDE = `# Means

Halves are shown:

    >>> mean([3, 4])
    3.5
`;

describe.each([
	["mean.py", PYTHON],
	["docs/guide.md", GUIDE],
	["src/mean.rs", RUST],
	["src/mean.ts", MODULE],
])("tests in %s", (file, base) => {
	const rules = { checks: [checkOf(`run-examples ${file}`)] };
	const of = (head: string) => asked({ [file]: base }, { [file]: head }, { rules });
	const told = `embedded_test_changed ${file}`;

	test("are asked about where their expectation changed, or they are gone", async () => {
		expect(await of(base.replaceAll("3.5", "3"))).toContain(told);
		expect(await of("x = 1\n")).toContain(told);
		expect(await asked({ [file]: base }, {}, { rules })).toContain(told);
	});

	test("are not where the product beside them changed, or more of them were added", async () => {
		const product = base.replace("def mean", "def average").replace("fn mean", "fn average");
		expect(await of(product.replace("export const mean", "export const average"))).not.toContain(
			told,
		);
	});
});

test("sentences around examples, and examples apart from them or behind them, are not asked about", async () => {
	const of = (head: string) => asked({ "mean.py": PYTHON }, { "mean.py": head });
	expect(await of(PYTHON.replace("The mean.", "The mean, see `mode`."))).toEqual([]);
	const more = `def mode(values):\n    """The mode.\n\n    >>> mode([1])\n    1\n    """\n    return values[0]\n`;
	expect(await of(more + PYTHON)).toEqual([]);
	const behind = PYTHON.replace("3.5\n", "3.5\n    >>> mean([1])\n    1.0\n");
	expect(await of(behind)).toEqual([]);
	for (const [from, to] of [
		["    >>> ", "    >>> mean = str\n    >>> "],
		["3.5\n", "3.51\n"],
		["4])\n", "4]) if 0 else None\n"],
		["    >>> ", "    .. doctest-skip::\n\n    >>> "],
	] as const)
		expect(await of(PYTHON.replace(from, to)), to).toContain("embedded_test_changed mean.py");
	expect(await of(more.replace("mode([1])", "mode([2])") + PYTHON)).toEqual([]);
	const patch = more.replace("mode([1])", "import mean; mean.mean = len");
	expect(await of(patch + PYTHON)).toContain("embedded_test_changed mean.py");
});

test("a docstring that becomes a formatted text, which is none, is asked about", async () => {
	const of = (head: string) => asked({ "mean.py": PYTHON }, { "mean.py": head });
	expect(await of(PYTHON.replace('"""', 'f"""'))).toContain("embedded_test_changed mean.py");
	expect(await of(PYTHON.replace('"""', 'r"""'))).not.toContain("embedded_test_changed mean.py");
});

test("a docstring before which a statement stands, which is a mere text then, is asked about", async () => {
	const of = (head: string) => asked({ "mean.py": PYTHON }, { "mean.py": head });
	const begins = "def mean(values):\n";
	expect(await of(PYTHON.replace(begins, `${begins}    values = list(values)\n`))).toContain(
		"embedded_test_changed mean.py",
	);
	expect(await of(PYTHON.replace(begins, `${begins}    # Of numbers.\n`))).not.toContain(
		"embedded_test_changed mean.py",
	);
});

test("examples that an allowance lets go are shown", async () => {
	const rules = async (path: string, head: Record<string, string>) => {
		const allow = [
			{ path, change: "guide.md" in head ? "edit" : "delete", reason: "asked" } as const,
		];
		return (
			await asked({ "guide.md": GUIDE }, head, {
				rules: { allow, checks: [checkOf("run-examples guide.md")] },
			})
		).filter((one) => one.startsWith("allowed_change"));
	};
	const head = { "guide.md": GUIDE.replace("[3, 4]", "[3, 3]").replace("3.5", "3.0") };
	expect([...new Set(await rules("guide.md", head))]).toEqual(["allowed_change guide.md"]);
	expect(await rules("guide.md", {})).toEqual([]);
});

test("an example that a directive makes vague, or that lost its signs, is asked about", async () => {
	const of = (head: string) => asked({ "mean.py": PYTHON }, { "mean.py": head });
	const vague = PYTHON.replace("mean([3, 4])", "mean([3, 4])  # doctest: +ELLIPSIS");
	expect(await of(vague)).toContain("check_silenced mean.py");
	expect(await of(PYTHON.replace(">>> ", ""))).toContain("embedded_test_changed mean.py");
});

test.each([
	["read_otherwise", "a.py", "# -*- coding: utf_7 -*-"],
	["read_otherwise", "a.js", "//# sourceMappingURL=data:application/json,{}"],
	["spelled_letters", "a.js", "if (proc\\u0065ss.env.VITEST) return 1;"],
	["spelled_letters", "a.ts", 'import { rounded } from "./whol%65.ts";'],
	["spelled_letters", "a.py", "\uff53\uff59\uff53.exit"],
])(
	"%s in %s: what makes an interpreter read a file otherwise is asked about",
	async (rule, file, line) => {
		expect(await asked({}, { [file]: `${line}\n` })).toContain(`${rule} ${file}`);
		expect(await asked({}, { "b.py": "# -*- coding: utf-8 -*-\n" })).toEqual([]);
	},
);

test("a name with characters that nobody sees is asked about", async () => {
	const told = await asked(
		{ "src/a.js": "" },
		{ "src/a.js": "", "src/fo\nld.js": "1", "src/ok.js": "1" },
	);
	expect(told).toEqual(["hidden_characters src/fo\nld.js"]);
});

test("examples of a document that nothing runs are prose", async () => {
	const head = { "guide.md": GUIDE.replace("3.5", "3.0") };
	expect(await asked({ "guide.md": GUIDE }, head)).toEqual([]);
});
