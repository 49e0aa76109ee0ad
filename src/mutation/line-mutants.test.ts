import { expect, test } from "vitest";
import { lineMutants } from "./line-mutants.ts";

const mutants = (line: string, path = "a.py", code = line): string[] =>
	lineMutants([{ path, text: `${line}\n`, code: `${code}\n`, lines: [1] }]).map(
		({ operator, fresh }) => `${operator}: ${fresh}`,
	);

test.each([
	["x = a + b", ["arithmetic: x = a - b"]],
	["total -= cents", ["arithmetic: total += cents"]],
	["if a <= b:", ["boundary: if a < b:", "negation: if not (a <= b):"]],
	["if a == b:", ["equality: if a != b:"]],
	["ok = a is not None", ["equality: ok = a is None"]],
	["ok = a and b", ["logical: ok = a or b"]],
	["ok = True", ["boolean: ok = False"]],
	["rate = 0.19", ["number: rate = 1.19"]],
	["raise Overdraft(account)", ["error: raise RuntimeError(account)"]],
	["raise RuntimeError", []],
	["    return total", ["return: return None"]],
	["    return None", []],
	["    self.book.close(1)", ["number: self.book.close(2)", "statement: pass"]],
	['x = "a - b"', ['string: x = ""']],
	['print("a" + b)', []],
	['x = ""', []],
	["import os", []],
])("Python: %s", (line, expected) => {
	expect(mutants(line)).toEqual(expected);
});

test("other languages have their own words", () => {
	expect(mutants("\treturn nil", "a.rb")).toEqual([]);
	expect(mutants("  return sum;", "A.java")).toEqual(["return: return null;"]);
	expect(mutants("  return sum", "a.go")).toEqual([]);
	expect(mutants("} else if (on) {", "a.php")).toEqual(["negation: } else if (!(on)) {"]);
	expect(mutants("if (a == b) {", "a.php")).toEqual(["equality: if (a != b) {"]);
	expect(mutants("throw new Overdraft(a);", "A.java")).toEqual(["error: throw new Error(a);"]);
	expect(mutants("if [ $a -lt $b ]; then", "a.sh")).toEqual(["boundary: if [ $a -le $b ]; then"]);
	expect(mutants("awk '{ s = s + 0 }'", "a.sh")).toEqual([
		"arithmetic: awk '{ s = s - 0 }'",
		"number: awk '{ s = s + 1 }'",
	]);
});

test("comments are left alone, and a mutant is the whole file", () => {
	expect(mutants("x = a + b  # c - d", "a.py", "x = a + b   ")).toEqual([
		"arithmetic: x = a - b  # c - d",
	]);
	const text = "a = 1\nb = 2\n";
	expect(lineMutants([{ path: "a.py", text, code: text, lines: [2, 9] }])).toEqual([
		{
			file: "a.py",
			line: 2,
			operator: "number",
			old: "b = 2",
			fresh: "b = 3",
			text: "a = 1\nb = 3\n",
		},
	]);
});
