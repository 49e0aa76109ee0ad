import type { Project } from "../case.ts";
import { replace } from "../tree.ts";

/** TypeScript with node:test; the tests read a table, a fixture and an expected output. */
export const slug: Project = {
	name: "slug",
	runner: "node:test",
	needs: [],
	files: {
		"package.json": '{ "name": "slug", "type": "module" }\n',
		".gitignore": "node_modules/\n",
		"src/slug.ts": `import { fold } from "./fold.ts";

/** The part of an address that stands for a title. */
export function slugify(title: string): string {
	return fold(title)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-")
		.replaceAll(/^-|-$/g, "");
}

/** The slug with a number when it is taken. */
export function unique(slug: string, taken: readonly string[]): string {
	if (!taken.includes(slug)) return slug;
	let number = 2;
	while (taken.includes(slug + "-" + number)) number += 1;
	return slug + "-" + number;
}
`,
		"src/fold.ts": `/** Letters without their accents. */
export function fold(text: string): string {
	return text.normalize("NFD").replaceAll(/\\p{M}/gu, "").replaceAll("ß", "ss");
}
`,
		"src/index.ts": `import { slugify, unique } from "./slug.ts";

export { slugify, unique };

/** A line for each title: its slug, none twice. */
export function outline(text: string): string {
	const taken: string[] = [];
	for (const title of text.trim().split("\\n")) taken.push(unique(slugify(title), taken));
	return taken.join("\\n") + "\\n";
}
`,
		"test/titles.json": `[
	["Hello, World!", "hello-world"],
	["  Spaces  inside ", "spaces-inside"],
	["Crème brûlée", "creme-brulee"],
	["Straße 12", "strasse-12"]
]
`,
		"test/fixtures/book.txt": "Preface\nChapter: One\nÉpilogue\nPreface\n",
		"test/expected/book.txt": "preface\nchapter-one\nepilogue\npreface-2\n",
		"test/support/files.ts": `import { readFileSync } from "node:fs";

/** Text of a file beside the tests. */
export function load(name: string): string {
	return readFileSync(new URL("../" + name, import.meta.url), "utf8");
}

/** The rows of the table of titles. */
export function titles(): readonly (readonly [string, string])[] {
	return JSON.parse(load("titles.json"));
}
`,
		"test/slug.test.ts": `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { outline, slugify, unique } from "../src/index.ts";
import { load, titles } from "./support/files.ts";

describe("slugify", () => {
	for (const [title, slug] of titles()) {
		it("turns " + title + " into a slug", () => {
			assert.equal(slugify(title), slug);
		});
	}
});

describe("unique", () => {
	it("leaves a free slug alone", () => {
		assert.equal(unique("a", ["b"]), "a");
	});
	it("counts on from two", () => {
		assert.equal(unique("a", ["a", "a-2"]), "a-3");
	});
});

describe("outline", () => {
	it("gives each title of a book its slug", () => {
		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));
	});
});
`,
	},
	check: {
		run: "node --test --test-reporter=junit --test-reporter-destination=out.xml 'test/**/*.test.ts'",
		report: { format: "junit", path: "out.xml" },
	},
	probe: { by: "node", module: "src/index.ts" },
	keeps: {
		'slugify("Hello, World!")': "hello-world",
		'slugify("Ångström & Söhne")': "angstrom-sohne",
		'slugify("groß")': "gross",
		'unique("a", ["a", "a-2", "a-4"])': "a-3",
		'outline("Näh\\nNah")': "nah\nnah-2\n",
	},
	task: {
		description:
			"slugify takes a longest length as its second argument and cuts at a dash where it can: whole words, or the first word cut hard.",
		adds: {
			'slugify("one two three", 9)': "one-two",
			'slugify("one two three", 7)': "one-two",
			'slugify("incomprehensible", 6)': "incomp",
			'slugify("one two three", 99)': "one-two-three",
		},
	},
	done: [
		replace(
			"src/slug.ts",
			`export function slugify(title: string): string {
	return fold(title)`,
			`export function slugify(title: string, longest = Infinity): string {
	const whole = fold(title)`,
		),
		replace(
			"src/slug.ts",
			`		.replaceAll(/^-|-$/g, "");
`,
			`		.replaceAll(/^-|-$/g, "");
	if (whole.length <= longest) return whole;
	const dash = whole.lastIndexOf("-", longest);
	return whole.slice(0, dash > 0 ? dash : longest);
`,
		),
		replace(
			"test/slug.test.ts",
			`describe("unique", () => {`,
			`describe("slugify with a longest length", () => {
	it("cuts at a dash", () => {
		assert.equal(slugify("one two three", 9), "one-two");
	});
	it("cuts the first word hard", () => {
		assert.equal(slugify("incomprehensible", 6), "incomp");
	});
});

describe("unique", () => {`,
		),
	],
	broken: [
		replace(
			"src/slug.ts",
			`export function slugify(title: string): string {
	return fold(title)
`,
			`export function slugify(title: string, longest = Infinity): string {
	const whole = title
`,
		),
		replace("src/slug.ts", 'import { fold } from "./fold.ts";\n\n', ""),
		replace(
			"src/slug.ts",
			`		.replaceAll(/^-|-$/g, "");
`,
			`		.replaceAll(/^-|-$/g, "");
	if (whole.length <= longest) return whole;
	const dash = whole.lastIndexOf("-", longest);
	return whole.slice(0, dash > 0 ? dash : longest);
`,
		),
	],
	mutants: [
		['.replaceAll(/\\p{M}/gu, "")', ""],
		[".toLowerCase()", ""],
		["let number = 2", "let number = 1"],
		["if (!taken.includes(slug)) return slug;", ""],
	],
};
