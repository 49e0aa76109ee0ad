import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { changesBetween } from "../../git/changes.ts";
import { openCheckout } from "../../git/checkout.ts";
import { commitAll, git, scene, writeFiles } from "../../git/scratch.fixture.ts";
import { blobsInMemory } from "../../kernel/blobs.fixture.ts";
import { theFacts } from "../../loop/scene.contract.ts";
import { maskerFor } from "../../masking/masking.ts";
import type { ProcessRequest, ProcessResult } from "../../process/process.ts";
import { sidesOf } from "../../wall/reading/sides.fixture.ts";
import { planReplay } from "../../wall/replay/replay-plan.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { storeOf } from "../evidence.fixture.ts";
import type { Stand } from "../stand.ts";
import { measureTests } from "./measure.ts";

const PRODUCT = "export const a = (b) => b + 1;\nexport const c = (d) => d * 2;\n";
const TESTS = 'import { a } from "../src/a.js";\nexact(a);\n';
const CHECK: CheckDefinition = {
	name: "tests",
	kind: "acceptance",
	run: "sh tests.sh",
	timeoutMs: 20_000,
	baseline: "new",
	report: { format: "exit" },
};

interface Scenario {
	/** Text of the tests in the turn. */
	readonly tests?: string;
	readonly product?: string;
	/** Exit code of the tests: their text and the product's. */
	readonly play?: (tests: string, product: string) => number;
	readonly baseline?: Evidence;
	readonly allow?: readonly { path: string; change: "weaken"; reason: string }[];
	readonly ms?: number;
}

/** Exact tests notice whatever is not the turn's product; vague ones do not. */
const notices =
	(right: string): NonNullable<Scenario["play"]> =>
	(tests, product) =>
		tests.includes("exact") && product !== right ? 1 : 0;

async function turn(given: Scenario = {}) {
	const { tests = TESTS.replace("exact", "vague"), product = PRODUCT, ms = 1_000 } = given;
	const base = { "src/a.js": PRODUCT, "test/a.test.js": TESTS, "tests.sh": "exit 0\n" };
	const { user, vault, state } = await scene(base);
	const start = git(user, "rev-parse", "HEAD");
	writeFiles(user, { "src/a.js": product, "test/a.test.js": tests });
	const commit = commitAll(user, "the work");
	const tree = git(user, "rev-parse", "HEAD^{tree}");
	const sides = await sidesOf(base, CHECK);
	const plan = await planReplay({
		changes: await changesBetween(vault, start, commit),
		sides,
		isAllowed: () => false,
		readBase: () => Promise.resolve(null),
		readHead: () => Promise.resolve(null),
	});
	const checkout = openCheckout(vault, {
		dir: join(state, "c", "work"),
		indexFile: join(state, "i"),
	});
	const stored = new Map<string, unknown>();
	const written: Evidence[] = [];
	const ran: string[] = [];
	let dies = 0;
	const { play = notices(product) } = given;
	const run = ({ cwd }: ProcessRequest): Promise<ProcessResult> => {
		if (ran.length + 1 === dies) throw new Error("killed");
		const text = (path: string): string => {
			return existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), "utf8") : "";
		};
		const own = text("test/a.test.js");
		ran.push(own.includes("exact") ? "original" : "changed");
		const exitCode = play(own, text("src/a.js"));
		const now = { exitCode, signal: null, timedOut: false, started: true, startError: null };
		return Promise.resolve({ ...now, stdout: "", stderr: "", output: "", startedAt: 0, ms });
	};
	const facts = theFacts({
		workflow: { checks: [CHECK], setup: [], mutation: { when: "never", timeoutMs: 60_000 } },
		...(given.allow === undefined ? {} : { task: { allow: given.allow } }),
	});
	// Only this of a task has a part in it.
	const ground = {
		...facts,
		vault,
		setups: null,
		refs: { keep: () => Promise.resolve() },
		bases: { variant: () => Promise.resolve("here") },
		blobs: blobsInMemory(),
		host: { run },
		masker: maskerFor([]),
		clock: { now: () => 0, sleep: () => Promise.resolve() },
		signal: new AbortController().signal,
		places: { checks: checkout, work: join(state, "work"), outputs: "out" },
		evidence: storeOf(start, { stored, written }),
		environment: () => ({ PATH: "/usr/bin:/bin" }),
	} as unknown as Stand;
	const own = evidence({ check: "tests", tree, ms, exitCode: 0 });
	const again = evidence({ check: "replay:tests", kind: "replay", tree, ms, exitCode: 0 });
	const baseline = new Map(given.baseline === undefined ? [] : [["tests", given.baseline]]);
	const request = (more: Partial<Evidence> = {}) => ({
		commit,
		start,
		baseline,
		checked: [own],
		replayed: { evidence: [{ ...again, ...more }], sides, holds: true, plan },
	});
	return {
		ran,
		written,
		measure: (more: Partial<Evidence> = {}) => measureTests(ground, request(more)),
		dieAt: (nth: number) => {
			dies = nth;
		},
	};
}

const LOST =
	'test/a.test.js: this test file was weakened, its tests notice less: nothing notices when src/a.js:1 has "b - 1" instead of "b + 1"; the original tests do; restore what was removed';

const lossOf = async (measure: Awaited<ReturnType<typeof turn>>["measure"], more = {}) =>
	(await measure(more)).violations;

describe("where no answer of the product can be altered", () => {
	test("a changed line that the original tests notice and the changed ones do not is proof, and the first ends it", async () => {
		const { measure, ran, written } = await turn();
		expect(await lossOf(measure)).toEqual([LOST]);
		// The first run told of no answer.
		expect(ran).toEqual(["original", "original", "changed"]);
		expect(written).toMatchObject([
			{ check: "power:tests", kind: "power", status: "fail", details: [LOST] },
		]);
		expect(await lossOf(measure)).toEqual([LOST]);
		expect(ran).toHaveLength(3);
	});

	test("a run that was killed is made again, and none before it", async () => {
		const { measure, ran, dieAt } = await turn();
		dieAt(3);
		await expect(measure()).rejects.toThrow("killed");
		dieAt(0);
		expect(await lossOf(measure)).toEqual([LOST]);
		expect(ran).toEqual(["original", "original", "changed"]);
	});

	test("changed tests that notice the same pass, and are still asked about", async () => {
		const { measure, ran, written } = await turn({
			tests: TESTS.replace("exact", "same"),
			play: (_, product) => (product === PRODUCT ? 0 : 1),
		});
		expect(await measure()).toMatchObject({ violations: [], kept: new Set(), notes: [] });
		expect(ran).toEqual(["original", "original", "changed"]);
		expect(written).toMatchObject([{ status: "pass" }]);
	});

	test("what the original tests do not notice proves nothing, and takes four runs more at most", async () => {
		const { measure, ran, written } = await turn({ play: () => 0 });
		const { violations, notes } = await measure();
		expect(violations).toEqual([]);
		expect(notes, "said where the verdict is").toEqual([
			expect.stringContaining("not be measured"),
		]);
		expect(ran.length).toBeLessThanOrEqual(5);
		expect(written).toMatchObject([{ status: "absent" }]);
	});
});

test("nothing is run where a check or its replay did not pass, tests were only added, or the task allows less", async () => {
	const failed = await turn();
	expect(await lossOf(failed.measure, { status: "absent" })).toEqual([]);
	const added = await turn({ tests: `${TESTS}test("more", () => {\n\tassert.equal(a, 1);\n});\n` });
	expect(await lossOf(added.measure)).toEqual([]);
	const allowed = await turn({
		allow: [{ path: "test/a.test.js", change: "weaken", reason: "asked" }],
	});
	expect(await lossOf(allowed.measure)).toEqual([]);
	expect([...failed.ran, ...added.ran, ...allowed.ran]).toEqual([]);
	expect(failed.written).toEqual([]);
});
