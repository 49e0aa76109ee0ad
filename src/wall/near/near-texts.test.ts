import { expect, test } from "vitest";
import { nearTexts } from "./near-texts.ts";

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
