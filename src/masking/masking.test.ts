import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../kernel/json.ts";
import { maskDeep, maskerFor, noMasker, replaceAllAt } from "./masking.ts";

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

test.each([
	["lower-case percent codes", "p/w?d&1234", "p%2fw%3fd%261234"],
	["a strict encoder", "it's (me)!*", "it%27s%20%28me%29%21%2A"],
	["a form", "two words 1", "two+words+1"],
	["JSON of Go", "a<b>c&d-1234", "a\\u003cb\\u003ec\\u0026d-1234"],
	["JSON of Python", "grün-1234", "gr\\u00fcn-1234"],
	["JSON of PHP", "a/b/c/d/1234", "a\\/b\\/c\\/d\\/1234"],
	["JSON inside JSON", 'a"b"c"d1234', 'a\\\\\\"b\\\\\\"c\\\\\\"d1234'],
	["XML", `a<b>'c"&1234`, "a&lt;b&gt;'c&quot;&amp;1234"],
	["XML of Go", `a<b>'c"&1234`, "a&lt;b&gt;&#39;c&#34;&amp;1234"],
	["HTML of Python", `a<b>'c"&1234`, "a&lt;b&gt;&#x27;c&quot;&amp;1234"],
	["numeric entities", `a<b>'c"&1234`, "a&#60;b&#62;'c\"&#38;1234"],
	["PHP and Python at once", "a/b/ü/1234", "a\\/b\\/\\u00FC\\/1234"],
	["JSON three deep", 'a"b12345', `a${"\\".repeat(7)}"b12345`],
	["Python's repr", "it's\\n1234", "it\\'s\\\\n1234"],
	["a shell in quotes", "it's-1234", "it'\\''s-1234"],
	["a shell with backslashes", "a b$c-1234", "a\\ b\\$c-1234"],
	["SQL", "it's-1234", "it''s-1234"],
	["CSV", 'a"b-12345', 'a""b-12345'],
	["git's paths", "grün-1234", "gr\\303\\274n-1234"],
	["a login in a URL", "p@ss/w:rd+1", "p%40ss%2Fw%3Ard+1"],
	["accents apart", "grün-1234", "gru\u0308n-1234"],
])("as %s writes it", (_, value, written) => {
	expect(maskerFor([{ value, rule: "env" }]).mask(`x ${written} y`)).toBe(`x ${mark(value)} y`);
});

test("a value with a lone surrogate is masked, not an error", () => {
	const value = "half-\ud800-pair";
	expect(maskerFor([{ value, rule: "env" }]).mask(value)).toBe(mark(value));
});

const LINE_ENDS = [
	"\n",
	"\r\n",
	"\\n",
	"\\r\\n",
	"\n      ",
	"\n\t",
	"\r",
	"\\\n",
	"\u200b",
	"\x1b[0m",
	"\n+",
	"\n- ",
	"\n> ",
	"\n  | ",
	"\\n+",
	"\r\n> > ",
];

test("line ends anywhere in it do not hide a value", () => {
	fc.assert(
		fc.property(fc.constantFrom(...LINE_ENDS), fc.integer({ min: 1, max: 17 }), (end, at) => {
			const broken = `${SECRET.slice(0, at)}${end}${SECRET.slice(at)}`;
			expect(masker.mask(`a ${broken} b\n`)).toBe(`a ${mark(SECRET)} b\n`);
		}),
	);
});

test("base64 that is wrapped at 76 columns hides nothing", () => {
	const text = Buffer.from(`${"x".repeat(70)}${SECRET}${"y".repeat(70)}`).toString("base64");
	const wrapped = text.replaceAll(/.{76}/g, "$&\n");
	expect(masker.mask(wrapped)).toContain("[MASKED:env:");
	expect(masker.longest).toBeGreaterThan(2 * Buffer.from(SECRET).toString("base64").length);
});

test("base64 that is wrapped in a diff hides nothing, a sign of it at the beginning of a line neither", () => {
	const value = "\xfb\xef\xbe\xfb\xef\xbe-hunter2hunter2";
	const known = maskerFor([{ value, rule: "env" }]);
	fc.assert(
		fc.property(fc.integer({ min: 40, max: 76 }), (width) => {
			const text = Buffer.from(`${"x".repeat(60)}${value}${"y".repeat(60)}`).toString("base64");
			for (const sign of ["", "+"]) {
				const lines = text.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
				const masked = known.mask(lines.map((line) => sign + line).join("\n"));
				expect(masked).toContain("[MASKED:env:");
			}
		}),
	);
});

test("one character on each line is masked too, and a value scattered over a page is not", () => {
	expect(masker.mask(Array.from(SECRET).join("\n"))).toBe(mark(SECRET));
	const spread = Array.from(SECRET).join(`\n${" ".repeat(80)}`);
	expect(masker.mask(spread)).toBe(spread);
});

test("a value of several lines is masked as a whole, indented or escaped as well", () => {
	const value = "first line of it\nsecond line of it";
	const several = maskerFor([{ value, rule: "env" }]);
	for (const text of [value, JSON.stringify(value).slice(1, -1), value.replace("\n", "\n    ")]) {
		expect(several.mask(`(${text})`)).toBe(`(${mark(value)})`);
	}
});

test("the case of a value counts, and what only begins like it stays", () => {
	expect(masker.mask(SECRET.toUpperCase())).toBe(SECRET.toUpperCase());
	expect(masker.mask(SECRET.slice(0, -1))).toBe(SECRET.slice(0, -1));
});

test("values that begin alike are told apart, and 'İ' is no 'i'", () => {
	const values = ["same-beginning-one", "same-beginning-one-two", "İstanbul-1234"];
	const three = maskerFor(values.map((value) => ({ value, rule: "env" })));
	for (const value of values) expect(three.mask(value)).toBe(mark(value));
});

test("of values that overlap nothing stays", () => {
	const both = maskerFor([
		{ value: "abcdefgh-shared", rule: "a" },
		{ value: "shared-ijklmnop", rule: "b" },
	]);
	expect(both.mask("abcdefgh-shared-ijklmnop")).toBe(
		mark("abcdefgh-shared", "a") + mark("shared-ijklmnop", "b"),
	);
});

test("masking twice changes nothing more, also with a value that reads like a mark", () => {
	const evil = maskerFor([
		{ value: "[MASKED:env:", rule: "env" },
		{ value: SECRET, rule: "env" },
	]);
	fc.assert(
		fc.property(fc.array(fc.constantFrom(SECRET, "[MASKED:env:", "12ab]", "x", "\n")), (parts) => {
			const masked = evil.mask(parts.join(""));
			expect(evil.mask(masked)).toBe(masked);
		}),
	);
});

test("a value with control characters is known as Python and Node show it", () => {
	const bell = maskerFor([{ value: "ring\u001b-ring\u001b-ring", rule: "env" }]);
	for (const shown of ["ring\\x1b-ring\\x1b-ring", "ring\\x1B-ring\\x1B-ring"]) {
		expect(bell.mask(`'${shown}'`)).toMatch(/^'\[MASKED:env:[0-9a-f]{4}\]'$/);
	}
});

test("replacements in any order leave the rest as it was", () => {
	const at = (start: number, end: number) => ({ start, end, mark: "*" });
	expect(replaceAllAt("abcdef", [at(4, 5), at(0, 2), at(1, 2)])).toBe("*cd*f");
	expect(replaceAllAt("abcdef", [])).toBe("abcdef");
});
