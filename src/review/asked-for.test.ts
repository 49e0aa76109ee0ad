import fc from "fast-check";
import { expect, test } from "vitest";
import { isAskedFor } from "./asked-for.ts";

const place = {
	file: "test/fee.test.js",
	text: "- equal(leastFee(1), 20)\n+ equal(leastFee(1), 30)",
};
const TOLD = ["Raise the fees: nobody\npays less than 30 cents.", 'The “least” fee is "shown".'];

test.each([
	"pays less than 30",
	"PAYS  less than 30 cents.",
	"The least fee",
	"the 'least' fee is shown",
])("%s asks for it", (words) => {
	expect(isAskedFor(words, place, TOLD)).toBe(true);
});

test.each(["", "30", "pays less than 40", "nobody pays", "is shown", "the fees and more"])(
	"%s does not: it is short, is not said, or speaks of something else",
	(words) => {
		expect(isAskedFor(words, place, TOLD)).toBe(false);
	},
);

test("lines without a word or a number ask for nothing", () => {
	expect(isAskedFor("the least fee", { file: "-", text: "+ ()" }, TOLD)).toBe(false);
});

test("the lines of a further test ask for nothing of what another one expects now", () => {
	const text = '- raises("unknown unit ell")\n+ equal(inches(2), 54)\n+ raises("no unit ell")';
	const at = { file: "test/units.test.js", text };
	expect(isAskedFor("2 inches", at, ["Add 2 inches."])).toBe(false);
	expect(isAskedFor("the unit", at, ["Name the unit."])).toBe(true);
});

test("the name of a file of code asks for nothing, and that of data says whose it is", () => {
	const text = "- 1\n+ 2";
	const told = ["the fee of a seat"];
	expect(isAskedFor("the fee of a seat", { file: "test/fee.test.js", text }, told)).toBe(false);
	expect(isAskedFor("the fee of a seat", { file: "test/fee.json", text }, told)).toBe(true);
});

test("words that nobody said ask for nothing", () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), (words, text) => {
			const plain = (some: string) => some.toLowerCase().replaceAll(/[\s"'`\u2018-\u201f]+/g, " ");
			fc.pre(!plain(text).includes(plain(words).trim()));
			return !isAskedFor(words, { ...place, text: words }, [text]);
		}),
	);
});
