import { describe, expect, test } from "vitest";
import type { TestCase } from "../../evidence/evidence.ts";
import { asAnsweredNow, callsLeftOut, joined, lossOf, type Notices, noticesIn } from "./notices.ts";

const passed = (id: string): TestCase => ({ id, status: "passed" });
const failed = (id: string): TestCase => ({ id, status: "failed" });
const skipped = (id: string): TestCase => ({ id, status: "skipped" });

const noticed = (...whats: string[]): TestCase[] =>
	whats.map((what) => failed(`test/fee.test.js:3 > ${what}`));
const missed = (...whats: string[]): TestCase[] =>
	whats.map((what) => passed(`test/fee.test.js > ${what}`));
const told = (...results: TestCase[]): Notices => noticesIn(results);

describe("notices", () => {
	test("each line of the run says what was altered, and who noticed", () => {
		const found = told(
			failed("test/fee.test.js:3 > fee(200) gives 21"),
			passed("test/fee.test.js > fee(200) gives 19"),
			failed('test/lib.js:7 > name("a > b") gives "a > bx" #2'),
			passed("test/fee.test.js:2 > measured"),
			skipped("test/fee.test.js:9 > its title"),
			skipped("test/fee.test.js:20 > measured"),
		);
		expect([...found.trials]).toEqual([
			["fee(200) gives 21", "test/fee.test.js:3"],
			["fee(200) gives 19", null],
			['name("a > b") gives "a > bx"', "test/lib.js:7"],
		]);
		expect([...found.lines]).toEqual(["test/fee.test.js:3", "test/lib.js:7"]);
		expect([...found.measured]).toEqual(["test/fee.test.js:2"]);
		expect([...found.left]).toEqual(["test/fee.test.js:9", "test/fee.test.js:20"]);
		expect([...found.late]).toEqual(["test/fee.test.js:20"]);
	});

	test("what one of several cases or runs notices is noticed", () => {
		const both = told(...missed("fee(1) gives 2"), ...noticed("fee(1) gives 2"));
		expect(both.trials.get("fee(1) gives 2")).toBe("test/fee.test.js:3");
		const runs = joined([told(...missed("fee(1) gives 2")), told(...noticed("fee(1) gives 2"))]);
		expect(runs.trials.get("fee(1) gives 2")).toBe("test/fee.test.js:3");
		expect([...runs.lines]).toEqual(["test/fee.test.js:3"]);
	});
});

describe("loss", () => {
	const original = told(
		...noticed("fee(200) gives 21", "fee(200) gives 19"),
		...missed("fee(3) gives 4"),
	);
	const lossBy = (...results: TestCase[]) => lossOf(original, told(...results));

	test("what cases of its file may notice that had no time is none", () => {
		const what = "fee(200) gives 21";
		const of = (...others: TestCase[]) =>
			lossOf(told(...noticed(what)), told(...missed(what), ...others)).lost;
		const here = passed("test/fee.test.js:2 > measured");
		expect(of(here)).toEqual([what]);
		expect(of(here, skipped("test/other.test.js:9 > measured"))).toEqual([what]);
		expect(of(here, skipped("test/fee.test.js:9 > measured"))).toEqual([]);
		expect(of(skipped("test/moved.test.js:9 > measured"))).toEqual([]);
	});

	test("a further member that nobody asked for is asked about, and no loss", () => {
		const whats = [
			"read() gives one key more instead of {}",
			"read() gives another data.x instead of {}",
		];
		const found = lossOf(told(...noticed(...whats)), told(...missed(...whats)));
		expect(found).toEqual({ lost: [], otherwise: whats });
		const list = "read() gives an empty list instead of {}";
		expect(lossOf(told(...noticed(list)), told(...missed(list))).lost).toEqual([list]);
	});

	test("tests that notice the same, or more, lose nothing", () => {
		const more = noticed(
			"fee(200) gives 21",
			"fee(200) gives 19",
			"fee(3) gives 4",
			"tax(1) gives 2",
		);
		expect(lossBy(...more)).toEqual({ lost: [], otherwise: [] });
	});

	test("a call that is still made, and whose answer may be another now, is lost", () => {
		expect(lossBy(...noticed("fee(200) gives 19"), ...missed("fee(200) gives 21"))).toEqual({
			lost: ["fee(200) gives 21"],
			otherwise: [],
		});
	});

	test("a call that is made no more is lost, where nothing takes its place", () => {
		const gone = ["fee(200) gives 21", "fee(200) gives 19"];
		expect(lossBy()).toEqual({ lost: gone, otherwise: [] });
		expect(lossBy(...noticed("tax(300) gives 21"))).toEqual({ lost: gone, otherwise: [] });
		expect(lossBy(...missed("fee(500) gives 51"))).toEqual({ lost: gone, otherwise: [] });
	});

	test("what was not tried, or not measured whole, is no proof", () => {
		const gone = ["fee(200) gives 21", "fee(200) gives 19"];
		const rest = noticed("fee(200) gives 19");
		expect(lossBy(...rest)).toEqual({ lost: [], otherwise: ["fee(200) gives 21"] });
		expect(lossBy(skipped("test/fee.test.js:2 > fee"))).toEqual({ lost: [], otherwise: gone });
		expect(lossBy(skipped("test/fee.test.js:2 > measured"))).toEqual({ lost: [], otherwise: gone });
	});

	test("as many other calls of the same function ask otherwise", () => {
		expect(lossBy(...noticed("fee(500) gives 51"))).toEqual({
			lost: [],
			otherwise: ["fee(200) gives 21", "fee(200) gives 19"],
		});
	});

	test("who asks less often for what is noticed asks otherwise, but not who makes fewer objects", () => {
		const [fee, cart] = [
			"fee(200) gives 21 instead of 20",
			"new Cart() gives null instead of Cart{}",
		];
		const before = told(...noticed(`1 times ${fee}`, `2 times ${fee}`, `3 times ${cart}`));
		const after = told(
			...noticed(`2 times ${fee}`, `2 times ${cart}`),
			...missed(`1 times ${fee}`),
		);
		expect([...before.times]).toEqual([
			[fee, 3],
			[cart, 3],
		]);
		expect(lossOf(before, after)).toEqual({ lost: [], otherwise: [fee] });
		expect(lossOf(before, joined([after, before]))).toEqual({ lost: [], otherwise: [] });
	});

	test("a function that has another name now is asked otherwise", () => {
		const before = told(
			...noticed("fee(200) gives 21 instead of 20", "fee(3) gives 4 instead of 3"),
		);
		const after = told(...noticed("cost(200) gives 21 instead of 20"));
		expect(lossOf(before, after)).toEqual({
			lost: ["fee(3) gives 4 instead of 3"],
			otherwise: ["fee(200) gives 21 instead of 20"],
		});
		const both = told(...noticed("fee(3) gives 4 instead of 3", "cost(3) gives 4 instead of 3"));
		const one = told(...noticed("cost(3) gives 4 instead of 3"));
		expect(lossOf(both, one).lost).toEqual(["fee(3) gives 4 instead of 3"]);
	});

	test("errors and calls of what a call gave are calls as well", () => {
		const before = told(...noticed('match("*.js")("a.js") gives false', "parse(1) does not throw"));
		const after = told(...missed('match("*.js")("a.js") gives false', "parse(1) does not throw"));
		expect(lossOf(before, after).lost).toHaveLength(2);
	});
});

describe("where a call gives another answer than before", () => {
	const before = told(
		...noticed("fee(1) gives 21 instead of 20", "fee(1) gives 19 instead of 20"),
		...noticed("Cart.total() gives 3 instead of 2"),
	);
	const lostBy = (isGone: (name: string) => boolean, ...results: TestCase[]) => {
		const changed = told(...results);
		return lossOf(asAnsweredNow(before, changed, isGone), changed).lost;
	};
	const total = noticed("Cart.total() gives 3 instead of 2");
	const never = () => false;

	test("its alterations are noticed as exactly as those of the old one, or something is lost", () => {
		const [more, less] = ["fee(1) gives 31 instead of 30", "fee(1) gives 29 instead of 30"];
		expect(lostBy(never, ...noticed(more, less), ...total)).toEqual([]);
		expect(lostBy(never, ...noticed(less), ...missed(more), ...total)).toEqual([more]);
		expect(lostBy(never, ...missed(more, less), ...total)).toEqual([more, less]);
	});

	test("a call that answers as before is compared as ever, and one that is gone is asked for no longer", () => {
		const same = noticed("fee(1) gives 21 instead of 20", "fee(1) gives 19 instead of 20");
		expect(lostBy(never, ...same, ...missed("Cart.total() gives 3 instead of 2"))).toEqual([
			"Cart.total() gives 3 instead of 2",
		]);
		expect(lostBy(never, ...same)).toEqual(["Cart.total() gives 3 instead of 2"]);
		expect(lostBy((name) => name === "total", ...same)).toEqual([]);
	});
});

test("calls that nobody makes any longer are named, up to a number", () => {
	const before = told(...noticed("fee(1) gives 2", "fee(2) gives 3", "fee(3) gives 4"));
	expect(callsLeftOut(before, told(...missed("fee(2) gives 5")), 1)).toBe(
		"the changed tests no longer ask for fee(1) and 1 more",
	);
	expect(callsLeftOut(before, before, 1)).toBeNull();
});
