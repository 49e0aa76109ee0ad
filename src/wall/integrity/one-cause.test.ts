import { expect, test } from "vitest";
import { suspicion } from "../suspicion.ts";
import { byCause, renamed } from "./one-cause.ts";
import { rewritten } from "./vanished.ts";

const renamedIn = (base: string, head: string) => renamed(rewritten(base, head, []));

test("names that were renamed throughout are one cause", () => {
	expect(renamedIn("a(fee(1));\nb = fee;\n", "a(price(1));\nb = price;\n")).toBe("fee>price");
});

test.each([
	["a number", "expect(fee(1)).toBe(5);", "expect(fee(1)).toBe(6);"],
	["one name in two ways", "fee(fee);", "price(cost);"],
	["one name in some places", "fee(fee);", "fee(price);"],
	["something beside the name", "expect(fee(1)).toBe(5);", "expect(price(1));"],
	["a line more", "fee();", "price();\nprice();"],
	["more names than one renaming has", "a(b, c, d, e);", "v(w, x, y, z);"],
])("no cause is told of a change of %s", (_what, base, head) => {
	expect(renamedIn(`${base}\n`, `${head}\n`)).toBeNull();
});

test("lines with the same words have no cause in common", () => {
	const line = { number: 1, text: "fee(1);" };
	expect(renamed({ gone: [line], fresh: [{ ...line, text: "fee( 1 );" }] })).toBeNull();
});

const asked = (
	file: string,
	text: string,
	rule: "test_changed" | "other_expected" = "test_changed",
) => suspicion({ rule, file, line: 1, text }, [text]);

test("what was changed for one cause is one question, which shows all of it", () => {
	const data = asked("test/data/a.json", "- 1\n+ 2", "other_expected");
	const code = asked("test/a.py", "- b\n+ c", "other_expected");
	const alone = asked("test/b.py", "- d\n+ e", "other_expected");
	const found = byCause([
		{ suspicion: data, cause: "red: a" },
		{ suspicion: code, cause: "red: a" },
		{ suspicion: alone, cause: null },
	]);
	expect(found).toMatchObject([
		{ file: "test/a.py", text: "- b\n+ c\ntest/data/a.json:\n- 1\n+ 2" },
		alone,
	]);
	expect(found).toHaveLength(2);
});

test("of thirty files the first are shown, and the id depends on all", () => {
	const files = (last: string) =>
		Array.from({ length: 30 }, (_, at) => {
			const text = `- fee(${at})\n+ price(${at === 29 ? last : at})`;
			return { suspicion: asked(`test/${at}.js`, text), cause: "fee>price" };
		});
	const [one, ...more] = byCause(files("29"));
	expect(more).toEqual([]);
	expect(one?.text).toMatch(/^- fee\(0\)\n.*\n\.\.\. in 30 files in all \([0-9a-f]{8}\)$/s);
	expect(byCause(files("30"))[0]?.id).not.toBe(one?.id);
});

test("one cause of two rules is two questions", () => {
	const cause = "fee>price";
	const two = [asked("a.js", "- fee"), asked("b.js", "- fee", "other_expected")];
	expect(byCause(two.map((suspicion) => ({ suspicion, cause })))).toEqual(two);
});
