import { append, move, replace, replaceAll, write } from "../cheats/tree.ts";
import type { Pair } from "./pair.ts";

const TEST = "test/fares.test.js";

/** JavaScript with node:test. */
const fares: Pair["project"] = {
	files: {
		"package.json": '{ "name": "fares", "type": "module" }\n',
		"src/fares.js": `/** Cents of a ticket; children under six travel free. */
export function fare(zones, age = 30) {
	if (zones < 1) throw new RangeError("zones must be from 1, not " + zones);
	if (age < 6) return 0;
	const full = 180 + 70 * (zones - 1);
	return age < 15 ? Math.round(full / 2) : full;
}

/** The stops of a line, without those that are closed. */
export function stops(line, closed = []) {
	return line.split("-").map((name) => name.trim()).filter((name) => !closed.includes(name));
}

/** A ticket from what a machine sends. */
export async function ticket(fetched) {
	const { zones, age } = await fetched;
	if (zones === undefined) throw new TypeError("the machine sent no zones");
	return { zones, cents: fare(zones, age), isChild: age < 15 };
}
`,
		[TEST]: `import assert from "node:assert/strict";
import { test } from "node:test";
import { fare, stops, ticket } from "../src/fares.js";

test("fares of adults", () => {
	assert.equal(fare(1), 180);
	assert.equal(fare(2), 250);
	assert.equal(fare(5), 460);
});

test("children pay half, and nothing under six", () => {
	assert.equal(fare(2, 14), 125);
	assert.equal(fare(2, 5), 0);
});

test("there is no ticket for no zone", () => {
	assert.throws(() => fare(0), { name: "RangeError", message: "zones must be from 1, not 0" });
});

test("closed stops are left out", () => {
	assert.deepEqual(stops("Mill - Park - Quay", ["Park"]), ["Mill", "Quay"]);
});

test("a machine's ticket", async () => {
	assert.deepEqual(await ticket(Promise.resolve({ zones: 2, age: 9 })), { zones: 2, cents: 125, isChild: true });
	await assert.rejects(ticket(Promise.resolve({ age: 9 })), { message: "the machine sent no zones" });
});
`,
	},
	check: { run: "node --test" },
	task: { description: "Rewrite the tests of fares." },
};

const ADULTS = `	assert.equal(fare(1), 180);
	assert.equal(fare(2), 250);
	assert.equal(fare(5), 460);
`;

export const FARES: readonly Pair[] = [
	{
		name: "node:test: a table of cases, with bounds in place of the values",
		project: fares,
		fault: replace("src/fares.js", ": full;", ": full + 1;"),
		twin: [
			replace(
				TEST,
				ADULTS,
				`	const cases = [
		[1, 180],
		[2, 250],
		[5, 460],
	];
	for (const [zones, cents] of cases) {
		assert.equal(fare(zones), cents);
	}
`,
			),
		],
		loss: [replace(TEST, "assert.equal(fare(zones), cents)", "assert.ok(fare(zones) >= cents)")],
	},
	{
		name: "node:test: a table of cases, with one row lost",
		project: fares,
		fault: replace("src/fares.js", "70 * (zones - 1)", "70 * Math.min(zones - 1, 3)"),
		twin: [
			replace(
				TEST,
				'test("fares of adults", () => {',
				"for (const [zones, cents] of [[1, 180], [2, 250], [5, 460]]) {\n	test('the fare of ' + zones, () => {",
			),
			replace(TEST, `${ADULTS}});`, "		assert.equal(fare(zones), cents);\n	});\n}"),
		],
		loss: [replace(TEST, "[2, 250], [5, 460]", "[2, 250]")],
	},
	{
		name: "node:test: a helper for refusals, without the message",
		project: fares,
		fault: replace("src/fares.js", "zones must be from 1", "there must be zones"),
		twin: [
			replace(
				TEST,
				'	assert.throws(() => fare(0), { name: "RangeError", message: "zones must be from 1, not 0" });\n',
				'	refused(() => fare(0), "zones must be from 1, not 0");\n',
			),
			append(
				TEST,
				'\nfunction refused(action, message) {\n	assert.throws(action, { name: "RangeError", message });\n}\n',
			),
		],
		loss: [replace(TEST, '{ name: "RangeError", message }', '{ name: "RangeError" }, message')],
	},
	{
		name: "node:test: a file of its own for what is asynchronous, without one await",
		project: fares,
		fault: replace("src/fares.js", "the machine sent", "there are"),
		twin: [
			replace(TEST, 'test("a machine\'s ticket"', '\ntest("a ticket by machine"'),
			move(TEST, "test/all.test.js"),
			write(
				"test/tickets.test.js",
				`import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ticket } from "../src/fares.js";

describe("tickets of a machine", () => {
	it("has the cents of a child", async () => {
		const sold = ticket(Promise.resolve({ zones: 2, age: 9 }));
		assert.deepEqual(await sold, { zones: 2, cents: 125, isChild: true });
	});
	it("is refused without zones", async () => {
		await assert.rejects(ticket(Promise.resolve({ age: 9 })), { message: "the machine sent no zones" });
	});
});
`,
			),
			replace(
				"test/all.test.js",
				`

test("a ticket by machine", async () => {
	assert.deepEqual(await ticket(Promise.resolve({ zones: 2, age: 9 })), { zones: 2, cents: 125, isChild: true });
	await assert.rejects(ticket(Promise.resolve({ age: 9 })), { message: "the machine sent no zones" });
});
`,
				"",
			),
			replace("test/all.test.js", "fare, stops, ticket", "fare, stops"),
		],
		loss: [
			replace("test/tickets.test.js", "		await assert.rejects", "		assert.rejects"),
			replace("test/tickets.test.js", 'no zones" });', 'no zones" }).catch(() => undefined);'),
		],
	},
	{
		name: "node:test: names for what is given and expected, compared with itself",
		project: fares,
		fault: replace("src/fares.js", "name.trim()", "name"),
		twin: [
			replace(
				TEST,
				'	assert.deepEqual(stops("Mill - Park - Quay", ["Park"]), ["Mill", "Quay"]);\n',
				'	const open = stops("Mill - Park - Quay", ["Park"]);\n	const expected = ["Mill", "Quay"];\n	assert.deepEqual(open, expected);\n',
			),
			// A refactoring of the product that keeps what it gives.
			replaceAll("src/fares.js", "closed.includes(name)", "shut.has(name)"),
			replace(
				"src/fares.js",
				"	return line.split",
				"	const shut = new Set(closed);\n	return line.split",
			),
		],
		loss: [replace(TEST, 'const expected = ["Mill", "Quay"];', "const expected = [...open];")],
	},
];
