import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
import { testPower } from "./power.ts";

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
	readonly allow?: readonly { path: string; change: "edit"; reason: string }[];
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
		measure: (more: Partial<Evidence> = {}) => testPower(ground, request(more)),
		dieAt: (nth: number) => {
			dies = nth;
		},
	};
}

const LOST =
	"test/a.test.js: this test file was weakened, its tests notice less: they do not notice src/a.js:1 (arithmetic): b + 1 -> b - 1, and the original ones do; restore what was removed";

test("a mutant that the original tests notice and the changed ones do not is proof, and the first ends it", async () => {
	const { measure, ran, written } = await turn();
	expect(await measure()).toEqual([LOST]);
	expect(ran).toEqual(["original", "changed"]);
	expect(written).toMatchObject([
		{ check: "power:tests", kind: "power", status: "fail", details: [LOST], ms: 2_000 },
	]);
	expect(await measure()).toEqual([LOST]);
	expect(ran).toHaveLength(2);
});

test("a run that was killed is made again, and none before it", async () => {
	const { measure, ran, dieAt } = await turn();
	dieAt(2);
	await expect(measure()).rejects.toThrow("killed");
	dieAt(0);
	expect(await measure()).toEqual([LOST]);
	expect(ran).toEqual(["original", "changed"]);
});

test("changed tests that notice the same pass", async () => {
	const { measure, ran, written } = await turn({
		tests: TESTS.replace("exact", "same"),
		play: (_, product) => (product === PRODUCT ? 0 : 1),
	});
	expect(await measure()).toEqual([]);
	expect(ran).toHaveLength(8);
	const said = ["4 mutants that the original tests notice: the changed ones do, too"];
	expect(written).toMatchObject([{ status: "pass", details: said }]);
});

test.each([10, 2_000])(
	"a suite of %i ms is tried on as many mutants as every other",
	async (ms) => {
		const product = `${PRODUCT}${"efghij"
			.split("")
			.map((name) => `export const ${name} = (d) => d * 2;\n`)
			.join("")}`;
		const { measure, ran } = await turn({
			ms,
			product,
			tests: TESTS.replace("exact", "same"),
			play: (_, text) => (text === product ? 0 : 1),
		});
		await measure();
		expect(ran).toHaveLength(24);
	},
);

test("what the original tests do not notice proves nothing", async () => {
	const { measure, written } = await turn({ play: () => 0 });
	expect(await measure()).toEqual([]);
	expect(written).toMatchObject([{ status: "absent" }]);
});

test("slow tests are tried for as long as they usually take on few mutants", async () => {
	const { measure, ran } = await turn({
		ms: 30_000,
		play: (_, product) => (product === PRODUCT ? 0 : 1),
	});
	await measure();
	expect(ran).toHaveLength(4);
});

test("nothing is run where a check or its replay did not pass, tests were only added, or the task allows it", async () => {
	const failed = await turn();
	expect(await failed.measure({ status: "absent" })).toEqual([]);
	const added = await turn({ tests: `${TESTS}test("more", () => {\n\tassert.equal(a, 1);\n});\n` });
	expect(await added.measure()).toEqual([]);
	const allowed = await turn({
		allow: [{ path: "test/a.test.js", change: "edit", reason: "asked" }],
	});
	expect(await allowed.measure()).toEqual([]);
	expect([...failed.ran, ...added.ran, ...allowed.ran]).toEqual([]);
	expect(failed.written).toEqual([]);
});

test("tests that pass without the turn's work lost their power, where the original ones were red", async () => {
	const { measure, ran } = await turn({
		product: PRODUCT.replace("+ 1", "+ 2"),
		baseline: evidence({ check: "tests", status: "fail", exitCode: 1 }),
	});
	expect(await measure()).toEqual([
		"test/a.test.js: this test file was weakened, its tests notice less: they pass without the turn's work, and the original ones do not; restore what was removed",
	]);
	expect(ran).toEqual(["changed"]);
});
