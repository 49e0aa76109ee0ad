import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { collapse, issueKey } from "./finding.ts";

test("case, white space, width and surrounding punctuation make no difference", () => {
	expect(issueKey("  Burst is\n NOT refused! ")).toBe("burst is not refused");
	expect(issueKey("“ﬁle Ａ” – ")).toBe("file a");
});

test("punctuation inside a text stays", () => {
	expect(issueKey("a.b() is wrong.")).toBe("a.b() is wrong");
});

test("text of punctuation alone keeps it", () => {
	expect(issueKey(" ?! ")).toBe("?!");
	expect(issueKey("")).toBe("");
});

test("a long run of punctuation costs linear time", () => {
	expect(issueKey(`a${"!".repeat(100_000)}b`)).toHaveLength(100_002);
});

test("a key is its own key, and white space around does not matter", () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter }), (text) => {
			const key = issueKey(text);
			expect(issueKey(key)).toBe(key);
			expect(issueKey(` \t${text}\n`)).toBe(key);
		}),
	);
});

test("collapse leaves single spaces only", () => {
	expect(collapse(" a\n\t b ")).toBe("a b");
});
