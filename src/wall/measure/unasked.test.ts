import { expect, test } from "vitest";
import { languageOf } from "../language/languages.ts";
import { recordedTree } from "../language/python-trees.fixture.ts";
import { noticesIn } from "./notices.ts";
import { type ChangedProduct, unaskedNotes } from "./unasked.ts";

const noticed = (...whats: string[]) =>
	noticesIn(whats.map((what) => ({ id: `test/a.test.js:3 > ${what}`, status: "failed" })));

const inScript = (base: string, text: string, ...whats: string[]) => {
	const files: ChangedProduct[] = [{ path: "src/a.js", base, text }];
	const trees = (of: readonly ChangedProduct[]) =>
		languageOf("a.js")?.trees(of, () => Promise.resolve(null)) ?? expect.unreachable();
	return unaskedNotes(files, noticed(...whats), trees as Parameters<typeof unaskedNotes>[2]);
};

const BASE = `export const fee = (n) => n / 10;
export const LIMIT = 5;
export function sign(n) {
	return n < 0;
}
function inner() {
	return 1;
}
`;

test("changed functions that others may call, and whose answers no test notices, are told by name", async () => {
	const text = `${BASE.replace("n < 0", "n <= 0").replace("return 1", "return 2").replace("= 5", "= 6")}export class Cart {\n\ttotal() { return 1; }\n}\n`;
	expect(await inScript(BASE, text)).toEqual([
		"2 of 2 changed functions: no test that was measured notices what they give (sign, Cart)",
	]);
	expect(await inScript(BASE, text, "sign(0) gives false")).toEqual([
		"1 of 2 changed functions: no test that was measured notices what they give (Cart)",
	]);
	expect(await inScript(BASE, text, "sign(0) gives false", "new Cart().total() gives 2")).toEqual(
		[],
	);
	expect(await inScript(BASE, BASE)).toEqual([]);
});

test("in Python a name without an underscore may be called", async () => {
	const text = "def fee(n):\n    return n / 10\n\n\ndef _own(n):\n    return n\n";
	const files = [{ path: "a.py", base: "", text }];
	const trees = async () => [await recordedTree(text)];
	expect(await unaskedNotes(files, noticed(), trees)).toEqual([
		"1 of 1 changed function: no test that was measured notices what they give (fee)",
	]);
});
