import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { openCheckout } from "../../git/checkout.ts";
import { commitAll, git, scene, writeFiles } from "../../git/scratch.fixture.ts";
import { blobsInMemory } from "../../kernel/blobs.fixture.ts";
import { NO_SIDES, theFacts } from "../../loop/scene.contract.ts";
import { maskerFor } from "../../masking/masking.ts";
import type { ProcessRequest, ProcessResult } from "../../process/process.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { storeOf } from "../evidence.fixture.ts";
import type { Stand } from "../stand.ts";
import { runMutants, testMutants } from "./mutation.ts";

const SECRET = "quokka-4711-secret";

/** What a check does on a mutant: its exit code, how long it takes, whether it was stopped. */
type Play = (request: ProcessRequest) => Partial<ProcessResult>;

const noSecrets: readonly string[] = [];

/** A turn that wrote `src/a.js`, whose checks do what a test says. */
async function turn(
	text: string,
	play: Play,
	{
		timeoutMs = 60_000,
		checks = ["tests"],
		path = "src/a.js",
		base = {},
		setupMs = 0,
		secrets = noSecrets,
	} = {},
) {
	const { user, vault, state } = await scene({ "readme.txt": "none\n", ...base });
	const start = git(user, "rev-parse", "HEAD");
	writeFiles(user, { [path]: text });
	for (const program of Object.keys(base)) chmodSync(join(user, program), 0o755);
	const commit = commitAll(user, "the work");
	const tree = git(user, "rev-parse", "HEAD^{tree}");
	const stored = new Map<string, unknown>();
	let clockMs = 0;
	const written: Evidence[] = [];
	const ran: ProcessRequest[] = [];
	const checkout = openCheckout(vault, {
		dir: join(state, "c", "work"),
		indexFile: join(state, "i"),
	});
	const definitions = checks.map(
		(name): CheckDefinition => ({
			name,
			kind: "acceptance",
			run: `sh ${name}.sh`,
			timeoutMs: 20_000,
			baseline: "new",
			report: { format: "exit" },
		}),
	);
	const facts = theFacts({
		workflow: { checks: definitions, setup: [], mutation: { when: "always", timeoutMs } },
	});
	const run = (request: ProcessRequest): Promise<ProcessResult> => {
		ran.push(request);
		const now = { exitCode: 0, signal: null, timedOut: false, started: true, startError: null };
		const said = { stdout: "", stderr: "", output: "", startedAt: 0, ms: 1_000 };
		return Promise.resolve({ ...now, ...said, ...play(request) });
	};
	// What mutants touch of a task; the rest has no part in it.
	const ground = {
		...facts,
		vault,
		masker: maskerFor(secrets.map((value) => ({ value, rule: "test" }))),
		clock: { now: () => (clockMs += setupMs), sleep: () => Promise.resolve() },
		signal: new AbortController().signal,
		places: {
			checks: checkout,
			work: join(state, "work"),
			outputs: "out",
		},
		blobs: blobsInMemory(),
		host: { run },
		setups: null,
		refs: { keep: () => Promise.resolve() },
		bases: { variant: () => Promise.resolve("here") },
		evidence: storeOf(start, { stored, written }),
		environment: () => ({ PATH: "/usr/bin:/bin" }),
	} as unknown as Stand;
	const own = checks.map((check) => evidence({ check, tree, ms: 1_000 }));
	const request = { commit, start, stored: own, sides: NO_SIDES };
	const test = (more: readonly Evidence[] = []) =>
		testMutants(ground, { ...request, stored: [...own, ...more] });
	return { ground, request, test, written, ran, stored };
}

const CODE = "export const a = (b) => b < 1;\n";
const textLike = (part: string): unknown => expect.stringContaining(part);
const figures = async (pieces: Promise<readonly Evidence[]>) => (await pieces)[0];

thorough(
	"a mutant is detected by the first check that does not pass, and the others are not run on it",
	async () => {
		const {
			test: tried,
			ran,
			written,
		} = await turn(
			CODE,
			({ command }) => ({ exitCode: command.join(" ").includes("first") ? 1 : 0 }),
			{ checks: ["first", "second"] },
		);
		expect(await figures(tried())).toMatchObject({
			check: "mutation:built-in",
			kind: "mutation",
			status: "pass",
			purpose: "turn",
			details: ["2 of 2 mutants on changed lines were detected"],
			mutation: { detected: 2, undetected: 0, pending: 0, survivors: [] },
		});
		expect(ran.map(({ command }) => command.at(-1))).toEqual(["sh first.sh", "sh first.sh"]);
		expect(written.map(({ check }) => check)).toEqual(["mutation:built-in"]);
	},
);

thorough("one on which all checks pass survives, and is named", async () => {
	const { test: tried } = await turn(CODE, () => ({}));
	expect(await figures(tried())).toMatchObject({
		details: [
			"0 of 2 mutants on changed lines were detected",
			"survived: src/a.js:1 (boundary): b < 1 -> b <= 1",
			"survived: src/a.js:1 (number): b < 1 -> b < 2",
		],
		mutation: { detected: 0, undetected: 2 },
	});
});

thorough(
	"a mutant that never ends is stopped after three times what the check took, and counts as detected",
	async () => {
		const { test: tried, ran } = await turn(CODE, () => ({
			exitCode: null,
			timedOut: true,
			ms: 8_000,
		}));
		expect(await figures(tried())).toMatchObject({ mutation: { detected: 2 } });
		expect(ran[0]?.timeoutMs).toBe(8_000);
	},
);

thorough(
	"when the time is spent the rest is pending, and one that was cut off has no outcome",
	async () => {
		const cut = await turn(
			CODE,
			({ timeoutMs }) =>
				timeoutMs < 8_000 ? { exitCode: null, timedOut: true, ms: timeoutMs } : { ms: 8_000 },
			{ timeoutMs: 12_000 },
		);
		expect(await figures(cut.test())).toMatchObject({
			status: "pass",
			details: [
				"0 of 1 mutants on changed lines were detected; 1 more were not run",
				"survived: src/a.js:1 (boundary): b < 1 -> b <= 1",
			],
			mutation: { undetected: 1, pending: 1 },
		});
		expect(cut.ran.map(({ timeoutMs }) => timeoutMs)).toEqual([8_000, 4_000]);
		expect(cut.stored.size).toBe(1);
		const short = await turn(CODE, () => ({}), { timeoutMs: 1_500 });
		expect(await figures(short.test())).toMatchObject({ mutation: { undetected: 1, pending: 1 } });
		expect(short.ran).toHaveLength(1);
		const none = await turn(CODE, () => ({}), { timeoutMs: 900 });
		expect(await figures(none.test())).toMatchObject({
			status: "absent",
			reason: "no mutant could be run within 0.9s",
			details: [],
		});
		expect(none.ran).toEqual([]);
	},
);

thorough("the time of a setup that a mutant needs counts", async () => {
	const slow = await turn(CODE, () => ({}), { setupMs: 50_000 });
	expect(await figures(slow.test())).toMatchObject({
		ms: 100_000,
		mutation: { undetected: 2, pending: 0 },
	});
	const late = await turn(CODE, () => ({}), { setupMs: 59_500 });
	expect(await figures(late.test())).toMatchObject({ mutation: { undetected: 1, pending: 1 } });
});

thorough("what could not be started is no outcome", async () => {
	const { test: tried } = await turn(CODE, () => ({ started: false, exitCode: null }));
	expect(await figures(tried())).toMatchObject({
		status: "absent",
		reason: "no mutant could be run",
	});
});

thorough("after a kill no mutant is run again, and its time counts again", async () => {
	const made = await turn(CODE, () => ({ ms: 20_000 }));
	const once = await made.test();
	expect(await made.test()).toEqual(once);
	expect(made.ran).toHaveLength(2);
	expect(once[0]?.ms).toBe(40_000);
	expect(await made.test(once)).toEqual(once);
	expect(made.written).toHaveLength(2);
	const { ms } = await runMutants(made.ground, { ...made.request, spentMs: 0 }, []);
	expect(ms).toBe(0);
});

thorough(
	"a change without a line that can be mutated, or without code, has no mutants",
	async () => {
		const plain = await turn("export const a = b;\n", () => ({}));
		expect(await figures(plain.test())).toMatchObject({ reason: "no changed line can be mutated" });
		expect(plain.ran).toEqual([]);
		const text = await turn("notes\n", () => ({}), { path: "notes.txt" });
		expect(await figures(text.test())).toMatchObject({
			reason: textLike("no mutation testing tool"),
		});
		const own = await turn(CODE, () => ({}), { path: "a.test.js" });
		const sides = { ...NO_SIDES, isTestWhenNew: (file: string) => file === "a.test.js" };
		expect(await testMutants(own.ground, { ...own.request, sides })).toMatchObject([
			{ status: "absent", reason: "no line of the product changed" },
		]);
	},
);

test("a secret in the code is masked before a survivor is cut", async () => {
	const text = `export const a = f("${"x".repeat(190)}${SECRET}");\n`;
	const { test: tried } = await turn(text, () => ({}), { secrets: [SECRET] });
	const piece = await figures(tried());
	expect(JSON.stringify(piece?.mutation)).toMatch(/x{180}/);
	expect(JSON.stringify(piece)).not.toContain("quokka");
});

thorough(
	"where a tool is there and gives no figures, the built-in mutants are run in the time that it left",
	async () => {
		const made = await turn(CODE, ({ command }) => ({ exitCode: isTool(command) ? 1 : 0 }), {
			base: { "node_modules/.bin/stryker": "" },
			timeoutMs: 2_500,
		});
		expect(await made.test()).toMatchObject([
			{ check: "mutation:stryker", status: "absent", reason: textLike("wrote no report") },
			{ check: "mutation:built-in", mutation: { undetected: 1, pending: 1 } },
		]);
		expect(made.ran.map(({ command }) => isTool(command))).toEqual([true, false]);
	},
);

const isTool = (command: readonly string[]): boolean => command.join(" ").includes("stryker");
