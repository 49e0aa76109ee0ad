import fc from "fast-check";
import { expect, test } from "vitest";
import { allViews, readViews, unbroken, type View } from "./text-view.ts";

/** What stands in a text where a view shows something. */
function origin(text: string, view: View | undefined, shown: string): string {
	const start = view?.text.indexOf(shown) ?? -1;
	expect(start, view?.text).toBeGreaterThanOrEqual(0);
	return text.slice(view?.begin(start), view?.end(start + shown.length));
}

test("a text is seen as JSON reads it, as often as it is JSON inside JSON", () => {
	const text = String.raw`a \\\"b\\\" \u0063\/d`;
	const views = readViews(text);
	expect(views.map((view) => view.text)).toEqual([
		text,
		String.raw`a \\"b\\" c/d`.replaceAll("\\\\", "\\"),
		'a "b" c/d',
	]);
	expect(origin(text, views[2], '"b"')).toBe(String.raw`\\\"b\\\"`);
	expect(origin(text, views[2], "c/d")).toBe(String.raw`\u0063\/d`);
});

test("JSON is read three deep, and a text without escapes is looked at once", () => {
	expect(readViews("\\".repeat(64)).map((view) => view.text.length)).toEqual([64, 32, 16, 8]);
	expect(readViews("plain /x")).toHaveLength(1);
});

test.each([
	["a terminal's colours", "x \u001b[31mab\u001b[0mc y", "abc", "ab\u001b[0mc"],
	["characters without width", "x a\u200bbc y", "abc", "a\u200bbc"],
	["percent codes", "x%3D%C3%BC%2fz y", "ü/z", "%C3%BC%2fz"],
	["line ends", "x ab\r\n   c y", "abc", "ab\r\n   c"],
	["escaped line ends", "x ab\\n\\tc y", "abc", "ab\\n\\tc"],
	["a backslash before a line end", "x ab\\\nc y", "abc", "ab\\\nc"],
	["a diff", "x ab\n+c y", "abc", "ab\n+c"],
	["a quotation in a quotation", "x ab\n> > c y", "abc", "ab\n> > c"],
])("%s are read over", (_, text, shown, written) => {
	const view = allViews(text).find((each) => each.text.includes(shown));
	expect(origin(text, view, shown)).toBe(written);
});

test("of the signs before a line one of a diff goes, since the next may belong to what was torn", () => {
	expect(unbroken("ab\n++cd")).toEqual(["ab++cd", "ab+cd"]);
});

test("whatever a text holds, what a view shows lies in it, in order", () => {
	const unit = fc.constantFrom(
		"a",
		"\\",
		"n",
		"u0061",
		'"',
		"\n",
		"\r\n",
		" ",
		"+",
		"%41",
		"%",
		"\u200b",
	);
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
			for (const view of allViews(text)) {
				let last = 0;
				for (let index = 0; index < view.text.length; index += 1) {
					const [begin, end] = [view.begin(index), view.end(index + 1)];
					expect(begin).toBeGreaterThanOrEqual(last);
					expect(end).toBeGreaterThan(begin);
					expect(end).toBeLessThanOrEqual(text.length);
					last = end;
				}
			}
		}),
	);
});
