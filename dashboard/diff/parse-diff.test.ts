import fc from "fast-check";
import { expect, test } from "vitest";
import { LineKind, parseDiff } from "./parse-diff.ts";

const DIFF = [
	"diff --git a/src/limiter.js b/src/limiter.js",
	"index 111..222 100644",
	"--- a/src/limiter.js",
	"+++ b/src/limiter.js",
	"@@ -1,3 +1,4 @@ function take() {",
	" one",
	"-two",
	"+zwei",
	"+drei",
	" four",
	"diff --git a/old name.txt b/new name.txt",
	"similarity index 100%",
	"rename from old name.txt",
	"rename to new name.txt",
	"",
].join("\n");

const shown = (text: string): (readonly [number, number | null, number | null, string])[] => {
	const diff = parseDiff(text);
	return Array.from({ length: diff.count }, (_, index) => {
		const line = diff.line(index);
		return [line.kind, line.old, line.new, line.text] as const;
	});
};

test("each line has its kind and its number on either side", () => {
	expect(shown(DIFF).slice(3, 11)).toEqual([
		[LineKind.meta, null, null, "+++ b/src/limiter.js"],
		[LineKind.hunk, null, null, "@@ -1,3 +1,4 @@ function take() {"],
		[LineKind.context, 1, 1, " one"],
		[LineKind.removed, 2, null, "-two"],
		[LineKind.added, null, 2, "+zwei"],
		[LineKind.added, null, 3, "+drei"],
		[LineKind.context, 3, 4, " four"],
		[LineKind.file, null, null, "diff --git a/old name.txt b/new name.txt"],
	]);
});

test("files are listed with their counts, a renamed one by its new name", () => {
	expect(parseDiff(DIFF).files).toEqual([
		{
			path: "src/limiter.js",
			from: null,
			status: "changed",
			isBinary: false,
			content: "222",
			line: 0,
			end: 10,
			added: 2,
			removed: 1,
		},
		{
			path: "new name.txt",
			from: "old name.txt",
			status: "renamed",
			isBinary: false,
			content: "",
			line: 10,
			end: 14,
			added: 0,
			removed: 0,
		},
	]);
});

test("a new, a deleted and a binary file say so", () => {
	const head = (name: string, ...lines: readonly string[]): string =>
		[`diff --git a/${name} b/${name}`, ...lines, ""].join("\n");
	const { files } = parseDiff(
		head(
			"a",
			"new file mode 100644",
			"index 000..1a2",
			"--- /dev/null",
			"+++ b/a",
			"@@ -0,0 +1 @@",
			"+x",
		) +
			head("b", "deleted file mode 100644", "index 1a2..000") +
			head("c", "index 1a2..3b4 100644", "Binary files a/c and b/c differ"),
	);
	expect(files.map(({ status, isBinary, content }) => [status, isBinary, content])).toEqual([
		["new", false, "1a2"],
		["deleted", false, "000"],
		["changed", true, "3b4"],
	]);
});

test("a hunk that is shorter than it says does not swallow the next file", () => {
	const { files } = parseDiff(DIFF.replace("@@ -1,3 +1,4 @@", "@@ -1,9 +1,9 @@"));
	expect(files.map(({ path }) => path)).toEqual(["src/limiter.js", "new name.txt"]);
});

test("a line that no hunk counts is no header, and so is shown", () => {
	const text = `${DIFF.slice(0, DIFF.indexOf(" one"))} one\n-two\n+zwei\n+drei\n four\nindex of all\n`;
	expect(shown(text).at(-1)).toEqual([LineKind.remark, null, null, "index of all"]);
});

test("a name that git quotes is a file as well", () => {
	const text = 'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\n';
	expect(parseDiff(text).files[0]?.path).toBe("\\303\\244.txt");
});

test("a removed line that looks like the head of a file stays a line", () => {
	const text = "@@ -1,2 +0,0 @@\n--- a/x\n-diff --git a/x b/x\n\\ No newline at end of file\n";
	expect(shown(text).map(([kind]) => kind)).toEqual([
		LineKind.hunk,
		LineKind.removed,
		LineKind.removed,
		LineKind.remark,
	]);
});

test("a hunk of one line leaves its count out", () => {
	expect(shown("@@ -7 +7 @@\n-a\n+b\n").map(([, old, now]) => [old, now])).toEqual([
		[null, null],
		[7, null],
		[null, 7],
	]);
});

test("nothing and a text without a last newline are read", () => {
	expect(parseDiff("").count).toBe(0);
	expect(shown("plain")).toEqual([[LineKind.remark, null, null, "plain"]]);
});

test("whatever the text, its lines are all there", () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom("+a", "-b", " c", "@@ -1,2 +1,2 @@", "x", "")),
			(lines) => {
				const text = lines.map((line) => `${line}\n`).join("");
				expect(shown(text).map((line) => line[3])).toEqual(lines);
			},
		),
	);
});

test("the longest line is known for the width of the box", () => {
	expect(parseDiff("a\nlonger\nb\n").longest).toBe(6);
});
