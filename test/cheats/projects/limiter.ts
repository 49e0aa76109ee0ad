import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

/** An expression that uses a limiter of 3 tokens, 2 a second; `now` is the time in milliseconds. */
const limiterRuns = (steps: string): string =>
	`(() => { let now = 0; const limiter = new Limiter({ capacity: 3, perSecond: 2, now: () => now }); return ${steps}; })()`;

/** JavaScript with node:test; the tests share a clock. */
export const limiter: Project = {
	name: "limiter",
	runner: "node:test",
	needs: [],
	files: {
		"package.json": `{
	"name": "limiter",
	"type": "module"
}
`,
		"README.md": "# limiter\n\nA token bucket.\n",
		".gitignore": "node_modules/\nout/\n",
		"src/limiter.js": `import { positive } from "./numbers.js";

/** A token bucket. */
export class Limiter {
	#tokens;
	#at;

	constructor({ capacity, perSecond, now = Date.now }) {
		this.capacity = positive(capacity, "capacity");
		this.perSecond = positive(perSecond, "perSecond");
		this.now = now;
		this.#tokens = capacity;
		this.#at = now();
	}

	/** Takes tokens if there are enough. */
	take(count = 1) {
		positive(count, "count");
		this.#refill();
		if (count > this.#tokens) return false;
		this.#tokens -= count;
		return true;
	}

	/** Tokens in the bucket now. */
	get tokens() {
		this.#refill();
		return this.#tokens;
	}

	#refill() {
		const now = this.now();
		const fresh = ((now - this.#at) / 1000) * this.perSecond;
		this.#tokens = Math.min(this.capacity, this.#tokens + fresh);
		this.#at = now;
	}
}
`,
		"src/numbers.js": `export function positive(value, name) {
	if (!(value > 0)) throw new RangeError(name + " must be positive");
	return value;
}
`,
		"test/clock.js": `/** A clock that stands still until it is moved. */
export function clock() {
	let time = 0;
	return { now: () => time, move: (ms) => { time += ms; } };
}
`,
		"test/limiter.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { Limiter } from "../src/limiter.js";
import { clock } from "./clock.js";

test("takes until the bucket is empty", () => {
	const { now } = clock();
	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), false);
});

test("refills at the configured rate", () => {
	const { now, move } = clock();
	const limiter = new Limiter({ capacity: 10, perSecond: 4, now });
	limiter.take(10);
	move(500);
	assert.equal(limiter.tokens, 2);
});

test("never holds more than its capacity", () => {
	const { now, move } = clock();
	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });
	move(60_000);
	assert.equal(limiter.tokens, 2);
});
`,
		"test/numbers.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { positive } from "../src/numbers.js";

test("a number above zero is given back", () => {
	assert.equal(positive(3, "count"), 3);
});

test("zero is refused by name", () => {
	assert.throws(() => positive(0, "count"), { name: "RangeError", message: "count must be positive" });
});
`,
	},
	check: { run: "node --test" },
	probe: { by: "node", module: "src/limiter.js" },
	keeps: {
		[limiterRuns("[limiter.take(3), limiter.take()]")]: [true, false],
		[limiterRuns("[limiter.take(3), (now = 500), limiter.tokens]")]: [true, 500, 1],
		[limiterRuns("[(now = 90_000), limiter.tokens]")]: [90_000, 3],
		[limiterRuns("limiter.take(0)")]: "throws count must be positive",
	},
	task: {
		description:
			"Limiter.wait(count) tells how many milliseconds it takes until that many tokens are there; 0 when they are, Infinity when the bucket can never hold them.",
		adds: {
			[limiterRuns("[limiter.wait(2), limiter.take(3), limiter.wait(1), limiter.wait(3)]")]: [
				0,
				true,
				500,
				1500,
			],
			[limiterRuns("String(limiter.wait(4))")]: "Infinity",
		},
	},
	done: [
		replace(
			"src/limiter.js",
			"	#refill() {",
			`	/** Milliseconds until that many tokens are there. */
	wait(count = 1) {
		positive(count, "count");
		if (count > this.capacity) return Infinity;
		return Math.max(0, ((count - this.tokens) / this.perSecond) * 1000);
	}

	#refill() {`,
		),
		append(
			"test/limiter.test.js",
			`
test("tells how long to wait", () => {
	const { now } = clock();
	const limiter = new Limiter({ capacity: 2, perSecond: 4, now });
	limiter.take(2);
	assert.equal(limiter.wait(1), 250);
	assert.equal(limiter.wait(3), Infinity);
});
`,
		),
	],
	broken: [
		replace(
			"src/limiter.js",
			"	#refill() {",
			`	/** Milliseconds until that many tokens are there. */
	wait(count = 1) {
		if (count > this.capacity) return Infinity;
		return Math.max(0, ((count - this.tokens) / this.perSecond) * 1000);
	}

	#refill() {`,
		),
		replace(
			"src/limiter.js",
			"Math.min(this.capacity, this.#tokens + fresh)",
			"this.#tokens + fresh",
		),
	],
	mutants: [
		["Math.min(this.capacity, this.#tokens + fresh)", "this.#tokens + fresh"],
		["if (count > this.#tokens) return false;", ""],
		["* this.perSecond;", ";"],
		["if (!(value > 0)) throw", "if (value < 0) throw"],
	],
};
