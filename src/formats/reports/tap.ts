import { Parser, type Result } from "tap-parser";
import { withoutEmptyFiles } from "./empty-files.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";

const OF_NODE = /^# duration_ms /m;

// No report goes on with one of these after its last plan.
const GOES_ON = /^(?:(?:not )?ok(?=\s|$)|TAP version \d|Bail out!)/;

/**
 * Reads TAP 13 and 14, with subtests. Cases are the leaves, and parents that fail although none of their subtests
 * does. `# SKIP` and `# TODO` count as skipped. A bail-out, a missing or wrong plan and test points after the last
 * plan are invalid.
 */
export function parseTap(text: string): ParsedReport {
	const report = parseTapPoints(text);
	return report.kind === "cases" && OF_NODE.test(plainText(text))
		? { kind: "cases", cases: withoutEmptyFiles(report.cases) }
		: report;
}

export function parseTapPoints(text: string): ParsedReport {
	const list = new CaseList();
	const root = new Parser();
	const state: State = { list, problem: undefined };
	watch(root, [], state);
	// What stands behind the closing plan, the next stream say, is no TAP to the parser: it would not count.
	root.on("extra", (line: string) => {
		if (GOES_ON.test(line)) state.problem ??= "it goes on after the plan (1..N) that closes it";
	});
	// The parser takes no line for a test point in which one of these stands.
	const plain = plainText(text).replaceAll(/[\u2028\u2029]/g, " ");
	root.end(plain);
	if (state.problem !== undefined) return refuse(state.problem);
	if (!/^1\.\.\d/m.test(plain))
		return refuse("it has no plan (1..N), so it is not TAP or was truncated");
	return list.report();
}

interface State {
	readonly list: CaseList;
	problem: string | undefined;
}

// The parser announces a subtest before the test point that closes it.
function watch(parser: Parser, path: readonly string[], state: State): () => boolean {
	let failed = false;
	let inner: (() => boolean) | undefined;
	parser.on("child", (child: Parser) => {
		inner = watch(child, [...path, child.name], state);
	});
	parser.on("bailout", (reason: string) => {
		state.problem ??= `the tests bailed out: ${reason}`;
	});
	parser.on("assert", (result: Result) => {
		const skipped = result.skip !== false || result.todo !== false;
		const explained = inner?.() === true;
		const parent = inner !== undefined;
		inner = undefined;
		if (!result.ok && !skipped) failed = true;
		if (parent && (result.ok || skipped || explained)) return;
		const status = skipped ? "skipped" : result.ok ? "passed" : "failed";
		state.list.add([...path, result.name], status, messageOf(result));
	});
	parser.on("complete", (results: { failures: readonly { tapError?: string | null }[] }) => {
		const broken = results.failures.find(({ tapError }) => typeof tapError === "string");
		if (broken !== undefined) state.problem ??= `not valid TAP: ${broken.tapError}`;
	});
	return () => failed;
}

function messageOf({ diag }: Result): string | undefined {
	if (typeof diag !== "object" || diag === null) return undefined;
	// The test runner's diagnostics: an object with any keys.
	const { error, message } = diag as Readonly<Record<string, unknown>>;
	const text = error ?? message;
	return typeof text === "string" ? text : JSON.stringify(diag);
}
