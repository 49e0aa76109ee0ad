import type { Evidence } from "../../evidence/evidence.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { commitView } from "../../formats/commit-view.ts";
import { changesBetween, treeOf } from "../../git/changes.ts";
import { randomId } from "../../kernel/ids.ts";
import { allowedChange } from "../../wall/integrity/excuses.ts";
import { languageOf } from "../../wall/language/languages.ts";
import { nearSuspicions } from "../../wall/near/judge-near.ts";
import { type NearInput, nearRun } from "../../wall/near/near-run.ts";
import { askedNames, isQuiet } from "../../wall/near/near-texts.ts";
import { addedLines } from "../../wall/reading/added-lines.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import { type KeptSuspicion, keptSuspicion, type Suspicion } from "../../wall/suspicion.ts";
import type { Stand } from "../stand.ts";
import type { MeasureRequest } from "./measure-plan.ts";
import { variant } from "./variant.ts";

const MAX_TESTS = 20;
const MAX_TEXT = 200_000;
const MAX_KNOWN = 200;
const MAX_CODE = 5_000;
const TIMEOUT_MS = 30_000;

const canBeCalled = (path: string): boolean => languageOf(path) !== null;

/**
 * Compares a product that passes with the base's on values that are near to those of the base's tests. The tests that
 * lead to changed code are called without their runner, in one run of some seconds at most, whose result is stored.
 */
export async function nearValues(
	ground: Stand,
	request: MeasureRequest,
): Promise<readonly Suspicion[]> {
	const { vault, evidence } = ground;
	const tree = await treeOf(vault, request.commit);
	const name = `near/${tree}`;
	const known = await evidence.part<readonly KeptSuspicion[]>(name);
	if (known !== undefined) return known.map(keptSuspicion);
	const input = await inputOf(ground, request);
	const cases = input === null ? [] : await looked(ground, request, input);
	// What was not tried is tried again where the turn is judged once more.
	if (input === null || cases.length === 0) return [];
	const found = nearSuspicions(cases, input.tests);
	await evidence.keepPart(name, found);
	return found;
}

interface NearWork extends NearInput {
	/** Files of the product that are gone: on the base something may import them. */
	readonly gone: readonly string[];
}

async function inputOf(
	{ vault, task, workflow }: Stand,
	{ commit, start, checked, replayed: { sides, evidence } }: MeasureRequest,
): Promise<NearWork | null> {
	const acceptance = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const own = checked.filter(({ check }) => acceptance.some(({ name }) => name === check));
	const all = [...own, ...evidence];
	if (own.length < acceptance.length || all.some(({ status }) => status !== "pass")) return null;
	const changes = await changesBetween(vault, start, commit);
	const changed = changes.filter(({ kind, path }) => kind !== "added" && !sides.tests.has(path));
	const paths = changed.map(({ path }) => path);
	const leading = sides.testsOf(paths.filter(canBeCalled)).filter(isTestFile).filter(canBeCalled);
	if (leading.length === 0) return null;
	const [base, head] = [commitView(vault, start, start), commitView(vault, start, commit)];
	const code = [...(await base.files())].filter(isCode).slice(0, MAX_CODE);
	const present = changes.filter(({ kind, path }) => kind !== "deleted" && isCode(path));
	const now = await head.texts(present.map(({ path }) => path));
	// What acts may be called from far below a test.
	const loud = [...(await base.texts(code)), ...now]
		.filter(([, text]) => !isQuiet(text))
		.map(([path]) => path);
	const isOfTests = (path: string): boolean => sides.tests.has(path) || sides.isTestWhenNew(path);
	const added = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
	if (loud.some((path) => added.includes(path) && !isOfTests(path))) return null;
	// Where the task allows a test to say something else, what the product gives has to change.
	const open = changes.filter(allowedChange(task.allow ?? [])).map(({ path }) => path);
	const left = new Set([...sides.testsOf(loud), ...open]);
	const tests = leading.filter((path) => !left.has(path)).slice(0, MAX_TESTS);
	if (tests.length === 0) return null;
	const beside = [...new Set([...tests, ...sides.tests.keys()])].slice(0, MAX_KNOWN);
	const known = fitting(await base.texts(beside));
	const product = fitting(await base.texts(paths));
	const gone = changed.flatMap(({ kind, path }) =>
		kind === "deleted" && !added.some((other) => other.startsWith(`${path}/`)) ? [path] : [],
	);
	const lines = [...now]
		.filter(([path]) => isOfTests(path))
		.flatMap(([path, text]) => addedLines(known.get(path) ?? "", text));
	const asked = askedNames(
		lines.map(({ text }) => text),
		[...product.values(), ...[...now].flatMap(([path, text]) => (isOfTests(path) ? [] : [text]))],
	);
	return { tests, known, product, asked, gone };
}

/** The texts that are no binaries, up to a length in all. */
function fitting(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	let left = MAX_TEXT;
	return new Map(
		[...texts].filter(([, text]) => {
			const isText = text.length <= left && !/[\0\uFFFD]/.test(text);
			if (isText) left -= text.length;
			return isText;
		}),
	);
}

async function looked(
	ground: Stand,
	{ commit, checked, replayed: { plan } }: MeasureRequest,
	{ gone, ...input }: NearWork,
): Promise<NonNullable<Evidence["cases"]>> {
	const { workflow } = ground;
	const { files, command, report } = nearRun(input, randomId(10));
	const back = gone.flatMap((path) => {
		const text = input.product.get(path);
		return text === undefined ? [] : [{ path, text }];
	});
	const edits = [...back, ...files].map(({ path, text }) => {
		return { kind: "write", path, mode: "100644", text } as const;
	});
	const [first] = workflow.checks.filter(({ name }) => checked.some((one) => one.check === name));
	if (first === undefined) return [];
	const check = {
		...first,
		name: `near:${first.name}`,
		run: command,
		report: { format: "tap", path: report } as const,
		timeoutMs: TIMEOUT_MS,
	};
	const all = [...(plan?.edits ?? []), ...edits];
	const noting = await variant(ground, { of: commit, edits: all, what: "near" });
	return (await noting.run({ check })).cases ?? [];
}
