import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { askedNames, isQuiet, nearTexts } from "./near-texts.ts";

const CODE = `import { f } from "../src/f.js";
const limits = { mode: "fast", size: 12 };
equal(f("Épée 7", [3, 1.5, -2], "mode"), "a\\nb");
`;

const near = (path: string, text: string) =>
	Object.fromEntries(
		[...nearTexts(new Map([[path, text]]))].map(([told, texts]) => [told, texts[path]]),
	);

test("numbers, texts and orders become others, names and paths stay", () => {
	const made = near("test/f.test.js", CODE);
	expect(Object.entries(made)).toEqual(
		[
			["with longer numbers", "size: 12 }", "size: 123 }", "[3, 1.5, -2]", "[33, 1.57, -23]"],
			["with fractions", "size: 12 }", "size: 12.37 }", "[3, 1.5, -2]", "[3.37, 1.5, -2.37]"],
			[
				"with numbers that are higher by one",
				"size: 12 }",
				"size: 13 }",
				"[3, 1.5, -2]",
				"[4, 1.5, -3]",
			],
			["with other letters", '"fast"', '"kfxy"', '"Épée 7"', '"Éuéj 7"', '"a\\nb"', '"f\\ng"'],
			["with other accents", '"Épée 7"', '"Ĕpĕe 7"'],
			["with other digits in its texts", "Épée 7", "Épée 0"],
			["with longer texts", '"fast"', '"fastt"', "Épée 7", "Épée 77", '"a\\nb"', '"aa\\nbb"'],
			["with lists in another order", "[3, 1.5, -2]", "[-2, 1.5, 3]"],
			["with negative numbers", "size: 12 }", "size: -12 }", "[3, 1.5, -2]", "[-3, -1.5, -2]"],
		].map(([how = "", ...pairs]) => {
			let text = CODE;
			for (let at = 0; at < pairs.length; at += 2)
				text = text.replace(pairs[at] ?? "", () => pairs[at + 1] ?? "");
			return [how, text];
		}),
	);
});

test("of data all is a value", () => {
	const made = near("test/rows.csv", "oak,4\nelm,0\n");
	expect(made["with longer numbers"]).toBe("oak,43\nelm,0\n");
	expect(made["with other letters"]).toBe("tfp,4\njqr,0\n");
	expect(made["with lists in another order"]).toBe("elm,0\noak,4\n");
});

test("what has no value has no neighbours", () => {
	expect(near("test/a.test.js", "run(all);\n")).toEqual({});
});

test("the numbers of all processes, powers and large numbers stay, and so do dots", () => {
	const made = near("test/a.test.js", 'stop(1, 20_000, 10 ** 6, ".");\n');
	expect(made).toEqual({
		"with longer numbers": 'stop(13, 20_000, 10 ** 6, ".");\n',
		"with fractions": 'stop(1.37, 20_000, 10 ** 6, ".");\n',
		"with numbers that are higher by one": 'stop(2, 20_000, 10 ** 6, ".");\n',
	});
});

test.each([
	["process.kill(pid, 0);", false],
	["shutil.rmtree(folder)", false],
	["beforeEach(() => make());", false],
	['import { execFile } from "node:child_process";', false],
	["os.remove(name)", false],
	["const [match] = /a/.exec(text); { signal };", true],
	["assert.equal(confirm(1), 2);", true],
])("%s: code that acts on what is there is not called", (text, isCalled) => {
	expect(isQuiet(text)).toBe(isCalled);
});

thorough("long lines are read in linear time", () => {
	const row = Array.from({ length: 20_000 }, (_, at) => at % 97).join(", ");
	const startedAt = performance.now();
	near("test/a.json", `[${row}, "${"ab ".repeat(9_000)}"]\n`);
	near("test/rows.csv", `${row}\n`);
	expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("new lines of tests ask about the functions of the product that they call", () => {
	const lines = [
		"	assert.equal(ways(1, 2), 3);",
		"const one = new Limiter(take);",
		"assert one.wait (1)",
	];
	const product = ["export function ways() {}", "class Limiter { wait() { assert(take); } }"];
	expect(askedNames(lines, product)).toEqual(["ways", "wait"]);
});
