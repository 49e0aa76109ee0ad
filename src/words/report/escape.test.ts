import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeMarkdown, escapeMarkup } from "./escape.ts";

test.each([
	["plain words in snake_case, with 3.5 and a-b", "plain words in snake_case, with 3.5 and a-b"],
	["*bold* _it_ `code` [x](y) ~~z~~", "\\*bold\\* \\_it\\_ \\`code\\` \\[x\\](y) \\~\\~z\\~\\~"],
	["<script>&", "&lt;script&gt;&amp;"],
	["</details>", "&lt;/details&gt;"],
	["a | b", "a &#124; b"],
	["a \\| b", "a \\\\&#124; b"],
	["thanks @octocat", "thanks @&#8203;octocat"],
	["fixes #12, acme/x#3", "fixes \\#&#8203;12, acme/x\\#&#8203;3"],
	["see GH-7 and !8", "see GH-&#8203;7 and !&#8203;8"],
	["https://evil.example", "https:&#8203;//evil.example"],
	["www.evil.example", "www&#8203;.evil.example"],
	["# heading", "\\# heading"],
	["- item", "\\- item"],
	["/close now", "\\/close now"],
	["1. item", "1\\. item"],
	["two\n\n# lines", "two \\# lines"],
	["![x](y)", "!\\[x\\](y)"],
	["$a$", "\\$a\\$"],
	["esc \u001b[2J", "esc \\\\x1b\\[2J"],
	["&#64;octocat", "&amp;\\#&#8203;64;octocat"],
])("Markdown of %j reads as it was written, and does nothing", (text, expected) => {
	expect(escapeMarkdown(text)).toBe(expected);
});

test("no text of any kind keeps a mark, a reference or a line end", () => {
	const parts = fc.constantFrom(
		..."@#|<>&`*_[]()!$~\\\n\r\t-+=1.: /gwh".split(""),
		"GH-1",
		"www.",
		"://",
		"@a",
		"#1",
		"\u202e",
		"\u001b",
		"\ud800",
	);
	fc.assert(
		fc.property(fc.array(parts, { maxLength: 30 }), (all) => {
			const text = escapeMarkdown(all.join(""));
			expect(text).not.toMatch(/[\n\r|<>\u202e]|@\w|#\w(?!\d*;)|:\/\/|www\.|gh-\d|!\d/i);
			// Each mark has a backslash of its own before it.
			expect(text.replaceAll(/\\[!-/:-@[-`{-~]/g, "X")).not.toMatch(
				/[\\`*[\]~$]|^[-+=]|^\d{1,9}[.)]/,
			);
		}),
	);
});

test("XML and HTML hold no character that they forbid", () => {
	expect(escapeMarkup(`<a b="c">'&'\u0000\u001b\ufffe\ud800\r\n\u202e`)).toBe(
		"&lt;a b=&quot;c&quot;&gt;&#39;&amp;&#39;\\x00\\x1b\\ufffe\ufffd\n\\u202e",
	);
});
