import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./json.ts";
import { maskDeep, maskerFor, noMasker } from "./masking.ts";

const SECRET = "hunter2-hunter2/+?";
const mark = (value: string, rule = "env"): string =>
	`[MASKED:${rule}:${sha256(value).slice(0, 4)}]`;
const masker = maskerFor([{ value: SECRET, rule: "env" }]);

test("a known value becomes a mark with its rule and four digits of its hash", () => {
	expect(masker.mask(`pw=${SECRET};`)).toBe(`pw=${mark(SECRET)};`);
});

test("the same secret always gets the same mark, another one another", () => {
	const both = maskerFor([
		{ value: SECRET, rule: "env" },
		{ value: "another-secret", rule: "env" },
	]);
	const masked = both.mask(`${SECRET} ${SECRET} another-secret`);
	expect(masked).toBe(`${mark(SECRET)} ${mark(SECRET)} ${mark("another-secret")}`);
	expect(mark(SECRET)).not.toBe(mark("another-secret"));
});

test("a value of fewer than 8 characters is left alone, or ordinary words would go", () => {
	const short = maskerFor([{ value: "test123", rule: "env" }]);
	expect(short.mask("test123")).toBe("test123");
	expect(short.longest).toBe(0);
});

test("a secret that contains another is masked as a whole", () => {
	const nested = maskerFor([
		{ value: "abcdefgh", rule: "a" },
		{ value: "abcdefgh-ijklmnop", rule: "b" },
	]);
	expect(nested.mask("abcdefgh-ijklmnop")).toBe(mark("abcdefgh-ijklmnop", "b"));
});

test("of two rules for one value the first names it", () => {
	const twice = maskerFor([
		{ value: "abcdefgh", rule: "first" },
		{ value: "abcdefgh", rule: "second" },
	]);
	expect(twice.mask("abcdefgh")).toBe(mark("abcdefgh", "first"));
});

test("JSON-escaped and URL-encoded spellings are masked too", () => {
	const quoted = maskerFor([{ value: 'pass"word\\1', rule: "env" }]);
	expect(quoted.mask(JSON.stringify({ p: 'pass"word\\1' }))).not.toContain("word");
	expect(masker.mask(encodeURIComponent(SECRET))).toBe(mark(SECRET));
});

test("base64 of a text that holds the secret anywhere shows nothing of it", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: "binary-ascii" }),
			fc.string({ unit: "binary-ascii" }),
			(before, after) => {
				for (const encoding of ["base64", "base64url"] as const) {
					const encoded = Buffer.from(before + SECRET + after).toString(encoding);
					const shown = Buffer.from(
						masker.mask(encoded).replaceAll(/\[MASKED.*?\]/g, "."),
						encoding,
					);
					expect(shown.includes(SECRET)).toBe(false);
					expect(masker.mask(encoded)).toContain("[MASKED:env:");
				}
			},
		),
	);
});

test("text without a secret comes through unchanged", () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			fc.pre(!text.includes(SECRET));
			expect(masker.mask(text)).toBe(text);
		}),
	);
	expect(noMasker.mask(SECRET)).toBe(SECRET);
});

test("every string inside a value is masked, keys included, and its shape stays", () => {
	const value = { list: [SECRET, 1, null], [SECRET]: true, inner: { text: `x${SECRET}` } };
	expect(maskDeep(masker, value)).toEqual({
		list: [mark(SECRET), 1, null],
		[mark(SECRET)]: true,
		inner: { text: `x${mark(SECRET)}` },
	});
});
