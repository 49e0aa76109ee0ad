import { expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { watchedOnly } from "./replay-check.ts";

/** What is found where runs on the product and on the base give these cases, and where each run was. */
async function found(product: readonly string[], base: string) {
	const ran: string[] = [];
	const left = [...product];
	const details = await watchedOnly({
		texts: new Map([["test/setup.js", "expect.extend({})"]]),
		tests: ["test/a.test.js"],
		run: async (on) => {
			ran.push(on);
			const text = on === "base" ? base : (left.shift() ?? "");
			return text === ""
				? evidence({ status: "error", cases: null })
				: evidence({ cases: cases(text) });
		},
	});
	return { details, ran };
}

test("one run on the product is enough where nothing fails without the runner", async () => {
	expect(await found(["a+ b~"], "a+ b+")).toEqual({ details: [], ran: ["product"] });
	expect(await found([""], "a+")).toEqual({ details: [], ran: ["product"] });
});

test("what fails is looked up on the base, and what does not pass there needs its runner", async () => {
	expect(await found(["a- b-"], "a~ b-")).toEqual({ details: [], ran: ["product", "base"] });
	expect(await found(["a-"], "")).toEqual({ details: [], ran: ["product", "base"] });
});

test("what passes on the base and fails on the product twice is told", async () => {
	const ran = ["product", "base", "product"];
	expect(await found(["a- b- c-", "a- b+ c-"], "a+ b+ c~")).toEqual({ details: ["a"], ran });
});

test("without a test there is no run", async () => {
	const run = () => expect.unreachable();
	expect(await watchedOnly({ texts: new Map(), tests: [], run })).toEqual([]);
});

test("files of the tests have other texts on both sides, and do the same", async () => {
	const given: string[] = [];
	await watchedOnly({
		texts: new Map([
			["test/a.test.js", "const now = () => 1;"],
			["test/data.py", "a = 1"],
		]),
		tests: ["test/a.test.js"],
		run: async (on, _, files) => {
			given.push(...files.filter(({ path }) => path.startsWith("test/")).map(({ text }) => text));
			return evidence({ cases: cases(on === "base" ? "a+" : "a-") });
		},
	});
	expect(given).toHaveLength(3);
	expect(new Set(given).size).toBe(1);
	expect(given[0]).toMatch(/^const now = \(\) => \(\/\* \w{10} \*\/1\);$/);
});

test("then the tests run once more with other names", async () => {
	const given: string[] = [];
	const details = await watchedOnly({
		texts: new Map([["tests/test_a.py", 'take("bob")']]),
		tests: ["tests/test_a.py"],
		run: async (on, _, files) => {
			const text = files.find(({ path }) => path === "tests/test_a.py")?.text ?? "";
			given.push(`${on} ${text}`);
			return evidence({ cases: cases(text === "" || on === "base" ? "a+" : "a-") });
		},
	});
	expect(details).toEqual(["a"]);
	const other = 'take("eys")';
	expect(given).toEqual(["product ", `product ${other}`, `base ${other}`, `product ${other}`]);
});
