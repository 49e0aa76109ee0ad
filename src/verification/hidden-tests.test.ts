import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relativeTo, withoutTestPaths } from "./hidden-tests.ts";

const FILES = ["test/integration/limit.test.js", "tests/test_limit.py", "limit_test.go"];

test.each([
	[
		"a frame",
		"at run (/s/verification/test/integration/limit.test.js:3:1)",
		"at run ((hidden test):3:1)",
	],
	["an address", "file:///s/v/test/integration/limit.test.js:3", "(hidden test):3"],
	[
		"a path that a cut begins in",
		"ication/test/integration/limit.test.js > a",
		"(hidden test) > a",
	],
	["an id", "test/integration/limit.test.js > refuses", "(hidden test) > refuses"],
	["a command", "node --test ./test/integration/limit.test.js", "node --test (hidden test)"],
	[
		"Python's frame",
		'File "/s/v/tests/test_limit.py", line 5, in a',
		'File "(hidden test)", line 5, in a',
	],
	["a module", "test_a (tests.test_limit.LimitTest)", "test_a ((hidden test).LimitTest)"],
	["Go's line", "    limit_test.go:12: got 4", "    (hidden test):12: got 4"],
	["a frame of the product", "at f (/s/verification/src/limit.js:7:9)", "at f (limit.js:7:9)"],
	[
		"a frame of a library",
		'File "/usr/lib/python3/unittest/case.py", line 59',
		'File "case.py", line 59',
	],
])("%s keeps no path of a hidden test", (_name, text, expected) => {
	expect(withoutTestPaths(text, FILES)).toBe(expected);
});

test.each([
	"expected 404 for /api/users",
	"src/limit.test.js",
	"http://localhost/a/b:3",
	"my-limit_test.go",
])("%s is what the product says, and stays", (text) => {
	expect(withoutTestPaths(text, FILES)).toBe(text);
});

test("without hidden tests nothing changes", () => {
	const frame = "at run (/s/v/src/limit.js:3:1)";
	expect(withoutTestPaths(frame, [])).toBe(frame);
});

test("paths below a checkout are relative to it, through links too, and others stay", () => {
	const real = realpathSync(mkdtempSync(join(tmpdir(), "hidden-")));
	const link = `${real}-link`;
	symlinkSync(real, link);
	try {
		const text = `${link}/v/a.js:1 file://${real}/v/b.js ${real}/v2/c.js cwd ${link}/v`;
		expect(relativeTo(text, `${link}/v`)).toBe(`a.js:1 b.js ${real}/v2/c.js cwd `);
	} finally {
		rmSync(link);
		rmSync(real, { recursive: true });
	}
});
