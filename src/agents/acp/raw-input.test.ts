import fc from "fast-check";
import { expect, test } from "vitest";
import { searchRawInput } from "./tool-calls.ts";

test.each([
	[{ target: "/etc/shadow" }, ["/etc/shadow"]],
	[{ a: [{ b: { where: "~/.ssh" } }] }, ["~/.ssh"]],
	[{ nested: { path: "src/a.ts" } }, ["src/a.ts"]],
	[{ what: "../up" }, ["../up"]],
	[{ what: "src/../../up" }, ["src/../../up"]],
	[{ what: "file:///etc/passwd" }, ["file:///etc/passwd"]],
	[{ paths: ["a", "b"] }, ["b", "a"]],
	[{ changes: { "/etc/passwd": { kind: "update" } } }, ["/etc/passwd"]],
	["/etc/passwd", ["/etc/passwd"]],
	[["/a"], ["/a"]],
	[{ query: "a word", count: 7, deep: null, url: "https://example.org/a" }, []],
	[{ words: "/a\n/b" }, []],
])("%j names the paths %j", (input, paths) => {
	expect(searchRawInput(input)).toMatchObject({ paths, kinds: [] });
});

test.each([
	[{ command: "rm -rf x" }, ["execute"]],
	[{ deep: [{ cmd: ["ls"] }] }, ["execute"]],
	[{ script: "x", command_line: "y" }, ["execute"]],
	[{ command: null, cmd: "" }, []],
	[{ commander: "x", description: "y" }, []],
	[{ old_string: "a", new_string: "" }, ["edit"]],
	[{ newText: "a" }, ["edit"]],
	[{ path: "x".repeat(5_000) }, ["unreadable"]],
])("%j is besides %j", (input, kinds) => {
	expect(searchRawInput(input).kinds).toEqual(kinds);
});

test("what stands where an edit has its texts is told apart", () => {
	const input = { file_path: "/a.ts", new_string: "/* b */", content: "/c" };
	expect(searchRawInput(input)).toEqual({
		paths: ["/a.ts"],
		texts: ["/c", "/* b */"],
		kinds: ["edit"],
	});
});

test("an input with more than anybody reads is unreadable", () => {
	const flat = Array.from({ length: 10_001 }, () => 1);
	expect(searchRawInput(flat).kinds).toEqual(["unreadable"]);
	expect(searchRawInput(flat.slice(0, 9_000)).kinds).toEqual([]);
	const deep: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
	expect(searchRawInput(deep).kinds).toEqual(["unreadable"]);
});

test("no input makes it throw", () => {
	fc.assert(
		fc.property(fc.anything(), (input) => {
			searchRawInput(input);
		}),
	);
});
