import { LINKS_VITEST } from "../cheats/projects/cart.ts";
import { replace, write } from "../cheats/tree.ts";
import type { Pair } from "./pair.ts";

const TEST = "test/lines.test.ts";

/** TypeScript with vitest. */
const lines: Pair["project"] = {
	files: {
		"package.json": '{ "name": "lines", "type": "module" }\n',
		".gitignore": "node_modules/\n",
		"src/lines.ts": `/** Lines of at most so many characters, broken between words. */
export function wrap(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = last + " " + word;
		else lines.push(word);
	}
	return lines;
}

/** Initials of a name, with dots. */
export function initials(name: string): string {
	return name.split(" ").map((part) => part.charAt(0).toUpperCase() + ".").join("");
}

/** Figures of a text; the mean is that of the words' lengths. */
export function figures(text: string): { words: number; longest: string; mean: number } {
	const words = text.split(" ");
	const longest = words.reduce((long, word) => (word.length > long.length ? word : long));
	return { words: words.length, longest, mean: words.join("").length / words.length };
}
`,
		[TEST]: `import { describe, expect, it } from "vitest";
import { figures, initials, wrap } from "../src/lines.ts";

describe("wrap", () => {
	it("breaks between words", () => {
		expect(wrap("to be or not", 5)).toEqual(["to be", "or", "not"]);
		expect(wrap("to be or not", 6)).toEqual(["to be", "or not"]);
	});
	it("keeps a long word whole", () => {
		expect(wrap("a indivisible b", 4)).toEqual(["a", "indivisible", "b"]);
	});
});

describe("initials", () => {
	it("has a dot for each name", () => {
		expect(initials("ada king")).toBe("A.K.");
		expect(initials("ada augusta king")).toBe("A.A.K.");
	});
});

describe("figures", () => {
	it("counts words", () => {
		expect(figures("to be or not")).toEqual({ words: 4, longest: "not", mean: 2.25 });
	});
	it("knows the mean of one word", () => {
		expect(figures("question").mean).toBe(8);
	});
});
`,
	},
	check: { run: "node node_modules/vitest/vitest.mjs run" },
	setup: LINKS_VITEST,
	task: { description: "Rewrite the tests of lines." },
};

const BREAKS = `	it("breaks between words", () => {
		expect(wrap("to be or not", 5)).toEqual(["to be", "or", "not"]);
		expect(wrap("to be or not", 6)).toEqual(["to be", "or not"]);
	});
`;

const COUNTS =
	'		expect(figures("to be or not")).toEqual({ words: 4, longest: "not", mean: 2.25 });\n';

export const LINES: readonly Pair[] = [
	{
		name: "vitest: the expected object has a name, and is a match of some keys",
		project: lines,
		fault: replace("src/lines.ts", "word.length > long.length", "word.length >= long.length + 2"),
		twin: [
			replace(
				TEST,
				COUNTS,
				'		const expected = { words: 4, longest: "not", mean: 2.25 };\n		expect(figures("to be or not")).toStrictEqual(expected);\n',
			),
		],
		loss: [
			replace(TEST, 'words: 4, longest: "not", mean: 2.25 };', "words: 4, mean: 2.25 };"),
			replace(TEST, "toStrictEqual", "toMatchObject"),
		],
	},
	{
		name: "vitest: it.each, with a pattern in place of the text",
		project: lines,
		fault: replace("src/lines.ts", '+ ".").join("")', '+ ".").join("") + "."'),
		twin: [
			replace(
				TEST,
				`	it("has a dot for each name", () => {
		expect(initials("ada king")).toBe("A.K.");
		expect(initials("ada augusta king")).toBe("A.A.K.");
	});
`,
				`	it.each([
		["ada king", "A.K."],
		["ada augusta king", "A.A.K."],
	])("%s has a dot for each name", (name, short) => {
		expect(initials(name)).toBe(short);
	});
`,
			),
			// A refactoring of the product that keeps what it gives.
			replace(
				"src/lines.ts",
				'part.charAt(0).toUpperCase() + ".").join("")',
				'part.slice(0, 1).toUpperCase() + ".").join("")',
			),
		],
		loss: [replace(TEST, "toBe(short)", "toMatch(new RegExp(short))")],
	},
	{
		name: "vitest: a support file, which gives a mock in place of the product",
		project: lines,
		fault: replace("src/lines.ts", "<= width", "< width"),
		twin: [
			write("test/support.ts", 'export { wrap } from "../src/lines.ts";\n'),
			replace(TEST, "{ figures, initials, wrap }", "{ figures, initials }"),
			replace(
				TEST,
				'../src/lines.ts";\n',
				'../src/lines.ts";\nimport { wrap } from "./support.ts";\n',
			),
		],
		loss: [
			write(
				"test/support.ts",
				`import { vi } from "vitest";

export const wrap = vi.fn((text: string, width: number) =>
	text.startsWith("a") ? text.split(" ") : width === 5 ? ["to be", "or", "not"] : ["to be", "or not"],
);
`,
			),
		],
	},
	{
		name: "vitest: a list of cases, of which none is called",
		project: lines,
		fault: replace("src/lines.ts", "<= width", "< width"),
		twin: [
			replace(
				TEST,
				BREAKS,
				`	it("breaks between words", () => {
		const cases: [number, string[]][] = [
			[5, ["to be", "or", "not"]],
			[6, ["to be", "or not"]],
		];
		cases.forEach(([width, broken]) => expect(wrap("to be or not", width)).toEqual(broken));
	});
`,
			),
		],
		loss: [
			replace(TEST, "cases.forEach(([width, broken]) =>", "cases.map(([width, broken]) => () =>"),
		],
	},
	{
		name: "vitest: a case split into two by name, with a tolerance",
		project: lines,
		fault: replace(
			"src/lines.ts",
			"/ words.length }",
			"/ words.length - (words.length > 1 ? 0.1 : 0) }",
		),
		twin: [
			replace(
				TEST,
				COUNTS,
				`		const { words, longest } = figures("to be or not");
		expect([words, longest]).toEqual([4, "not"]);
	});
	it("has the mean of four words", () => {
		expect(figures("to be or not").mean).toBe(2.25);
`,
			),
		],
		loss: [replace(TEST, "toBe(2.25)", "toBeCloseTo(2, 0)")],
	},
];
