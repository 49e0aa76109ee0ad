import fc from "fast-check";
import { expect, test } from "vitest";
import { type MutableFile, mutantsOf } from "./mutants.ts";

const file = (parts: MutableFile["parts"]): MutableFile => ({
	path: "a.js",
	mode: "100644",
	parts,
});
const EDITED = file([
	{ same: ["one\n"] },
	{ old: ["two\n"], fresh: ["2\n", "3\n"] },
	{ same: ["three\n"] },
	{ old: [], fresh: ["return four;\n"] },
]);

test("each hunk is taken back by itself, then new lines are left out", () => {
	expect(mutantsOf([EDITED], 10).map(({ place, text }) => [place, text])).toEqual([
		["a.js:2", "one\ntwo\nthree\nreturn four;\n"],
		["a.js:5", "one\n2\n3\nthree\n"],
		["a.js:2", "one\n3\nthree\nreturn four;\n"],
		["a.js:3", "one\n2\nthree\nreturn four;\n"],
		["a.js:5", "one\n2\n3\nthree\n"],
	]);
});

test("a new file has no hunk to take back; imports, comments and brackets are not left out", () => {
	const fresh = [
		'import { x } from "./x.js";\n',
		"// Answers.\n",
		"export function limit() {\n",
		"\treturn 3;\n",
		"}\n",
	];
	expect(mutantsOf([file([{ old: [], fresh }])], 10).map(({ place }) => place)).toEqual([
		"a.js:3",
		"a.js:4",
	]);
});

test("mutants are spread over the change, and never more than asked for, nor equal to it", () => {
	const line = fc.constantFrom("a = 1;\n", "b = 2;\n", "}\n", "// c\n");
	const lines = fc.array(line, { maxLength: 20 });
	fc.assert(
		fc.property(lines, lines, lines, fc.integer({ min: 1, max: 6 }), (same, old, fresh, limit) => {
			if (old.join() === fresh.join()) return;
			const mutable = file([{ same }, { old, fresh }]);
			const whole = [...same, ...fresh].join("");
			const mutants = mutantsOf([mutable], limit);
			expect(mutants.length).toBeLessThanOrEqual(limit);
			for (const { text } of mutants) expect(text).not.toBe(whole);
		}),
	);
	const long = Array.from({ length: 100 }, (_none, index) => `x${index} = 1;\n`);
	const places = mutantsOf([file([{ old: [], fresh: long }])], 4).map(({ place }) => place);
	expect(places).toEqual(["a.js:1", "a.js:26", "a.js:51", "a.js:76"]);
});
