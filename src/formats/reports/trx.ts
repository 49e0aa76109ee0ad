import type { TestCase } from "../../evidence/evidence.ts";
import { CaseList, type ParsedReport, refuse } from "./parsed-report.ts";
import { attribute, children, type Element, readXml, textIn } from "./xml-elements.ts";

// Any other outcome but `Passed` failed.
const STATUS: Readonly<Record<string, TestCase["status"]>> = {
	passed: "passed",
	notexecuted: "skipped",
	inconclusive: "skipped",
	notrunnable: "skipped",
	disconnected: "skipped",
	pending: "skipped",
};

const LISTS: ReadonlySet<string> = new Set(
	"TestRun Results UnitTestResult TestDefinitions UnitTest TestMethod Output ErrorInfo Message ResultSummary Counters".split(
		" ",
	),
);

const below = (element: Element, ...names: readonly string[]): Element[] =>
	names.reduce<Element[]>((found, name) => found.flatMap((one) => children(one, name)), [element]);

/**
 * Reads TRX, the report of `dotnet test --logger trx`. Failures that its counters state and that it does not list are
 * one failing case.
 */
export function parseTrx(text: string): ParsedReport {
	const read = readXml(text, LISTS);
	if (read.kind === "invalid") return read;
	const [run] = children(read.root, "TestRun");
	if (run === undefined) return refuse("it has no TestRun element");
	const classes = new Map(
		below(run, "TestDefinitions", "UnitTest").map((unit) => [
			attribute(unit, "id"),
			attribute(children(unit, "TestMethod")[0] ?? {}, "className").split(",", 1)[0] ?? "",
		]),
	);
	const list = new CaseList();
	let failed = 0;
	for (const result of below(run, "Results", "UnitTestResult")) {
		const status = STATUS[attribute(result, "outcome").toLowerCase()] ?? "failed";
		if (status === "failed") failed += 1;
		const group = classes.get(attribute(result, "testId")) ?? "";
		const name = attribute(result, "testName");
		const path = name.startsWith(`${group}.`) ? [name] : [group, name];
		list.add(path, status, below(result, "Output", "ErrorInfo", "Message").map(textIn).join("\n"));
	}
	const [summary = {}] = children(run, "ResultSummary");
	const [counters = {}] = children(summary, "Counters");
	const stated = ["failed", "error", "timeout", "aborted"].reduce(
		(sum, name) => sum + (Number(attribute(counters, name)) || 0),
		0,
	);
	if (failed === 0 && stated > 0) {
		list.add(["(run)"], "failed", `the run states ${stated} failures, and lists none of them`);
	}
	return list.report();
}
