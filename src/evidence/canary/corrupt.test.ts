import { expect, test } from "vitest";
import { corruptions } from "./corrupt.ts";

const changedLines = (path: string, text: string): (string | undefined)[] =>
	corruptions(new Map([[path, text]]), true).map((found) => found.text.split("\n")[found.line - 1]);

test.each([
	["run.js", 'if (encode(text) !== "a b") fail();', 'if (encode(text) !== "a b~") fail();'],
	["run.js", '	["sos", "... ---"],', '	["sos", "... ---~"],'],
	["test.sh", '[ "$(sh mean.sh 1 3)" = 2 ] || exit 1', '[ "$(sh mean.sh 1 3)" = 3 ] || exit 2'],
	["check.py", "assert mean([1, 3]) == 2.5", "assert mean([1, 3]) == 3.5"],
	["expected.txt", "mean: 2", "mean: 7"],
	["cases.csv", "a,b", "a,7"],
])("%s: a wrong value in %s", (path, line) => {
	const [changed] = changedLines(path, line);
	expect(changed).not.toBe(line);
	expect(changed).toHaveLength(line.length + (changed?.includes("~") === true ? 1 : 0));
});

test("imports, comments and lines without a value stay; data only counts without code", () => {
	const text = 'import { a } from "./a.js";\n// equal to 1\ncheck(a);\nequal(a(), 1);\n';
	expect(changedLines("run.js", text)).toEqual(["equal(a(), 2);"]);
	const data = ["data.txt", "1"] as const;
	const texts = new Map([data, ["run.js", "equal(a(), 1);"]]);
	expect(corruptions(texts, true).map(({ path }) => path)).toEqual(["run.js"]);
	expect(corruptions(new Map([data]), true)).toHaveLength(1);
	expect(corruptions(new Map([data]), false)).toEqual([]);
});
