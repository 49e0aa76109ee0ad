import type { TestCase } from "../../evidence/evidence.ts";
import { type Fields, isFields, jsonIn } from "../../kernel/fields.ts";
import { textOf } from "./json-report.ts";
import { CaseList, countsReport, type ParsedReport, plainText, refuse } from "./parsed-report.ts";

const STATUS: ReadonlyMap<string, TestCase["status"]> = new Map([
	["pass", "passed"],
	["fail", "failed"],
	["skip", "skipped"],
]);

const LINE = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$|^(ok {2}|FAIL)\t(\S+)(?:\t| )(.*)$/gm;

const MAX_SAID = 10_000;

const NEEDS_NAMES =
	"go test names passing tests only with -v or -json; add one of them to the command";

interface GoTest {
	readonly package: string;
	readonly name: string;
	readonly status: TestCase["status"];
	readonly message: string;
}

/**
 * Reads `go test -json` or the text of `go test`. A test with subtests is a case only if it fails and none of them
 * does. A package that fails without a failing test (it does not build) is a failing case. Without `-v` a passing
 * package names no tests, so none count.
 */
export function parseGoTest(text: string): ParsedReport {
	const plain = plainText(text);
	return /^\{"(?:Time|Action|ImportPath)":/m.test(plain) ? parseEvents(plain) : parseText(plain);
}

interface EventLog {
	readonly tests: GoTest[];
	readonly output: Map<string, string>;
	readonly packages: Map<string, boolean>;
}

function parseEvents(text: string): ParsedReport {
	const log: EventLog = { tests: [], output: new Map(), packages: new Map() };
	for (const line of text.split("\n")) {
		if (!line.startsWith("{")) continue;
		const event = jsonIn(line);
		if (!isFields(event)) return refuse("a line is not valid JSON, so the report may be truncated");
		readEvent(event, log);
	}
	const open = [...log.packages].find(([, hasEnded]) => !hasEnded);
	return open === undefined
		? casesOf(log.tests)
		: refuse(`package ${open[0]} does not end, so the report may be truncated`);
}

function readEvent(event: Fields, { tests, output, packages }: EventLog): void {
	const [pkg, name] = [textOf(event["Package"]), textOf(event["Test"])];
	if (pkg === "") return;
	const key = `${pkg}\n${name}`;
	const said = output.get(key) ?? "";
	if (event["Action"] === "output" && said.length < MAX_SAID) {
		output.set(key, said + textOf(event["Output"]));
	}
	const status = STATUS.get(textOf(event["Action"]));
	const endsPackage = name === "" && status !== undefined;
	packages.set(pkg, endsPackage || packages.get(pkg) === true);
	if (status !== undefined) tests.push({ package: pkg, name, status, message: said });
}

function parseText(text: string): ParsedReport {
	const tests: GoTest[] = [];
	let pending: Omit<GoTest, "package">[] = [];
	let packages = 0;
	for (const [, word, name = "", end, pkg = "", rest = ""] of text.matchAll(LINE)) {
		if (word !== undefined) {
			pending.push({ name, status: STATUS.get(word.toLowerCase()) ?? "failed", message: "" });
			continue;
		}
		packages += 1;
		tests.push(...pending.map((test) => ({ ...test, package: pkg })));
		pending = [];
		if (end === "FAIL") tests.push({ package: pkg, name: "", status: "failed", message: rest });
	}
	if (packages === 0) return refuse("no results of go test");
	if (pending.length > 0) return refuse("a package does not end, so the report may be truncated");
	return text.includes("\n--- PASS: ") || text.startsWith("--- PASS: ")
		? casesOf(tests)
		: packageCounts(tests);
}

function casesOf(tests: readonly GoTest[]): ParsedReport {
	const list = new CaseList();
	const parents = new Set<string>();
	const failing = new Set<string>();
	for (const test of tests) {
		if (test.name === "") continue;
		for (const parent of parentsOf(test)) {
			parents.add(parent);
			if (test.status === "failed") failing.add(parent);
		}
	}
	for (const test of tests) {
		const key = `${test.package}\n${test.name}`;
		const isParent = test.name === "" || parents.has(key);
		if (isParent && (test.status !== "failed" || failing.has(key))) continue;
		list.add([test.package, test.name || "(package)"], test.status, test.message);
	}
	return list.report();
}

function parentsOf(test: GoTest): string[] {
	const steps = test.name.split("/").slice(0, 50);
	return steps.map((_, index) => `${test.package}\n${steps.slice(0, index).join("/")}`);
}

function packageCounts(tests: readonly GoTest[]): ParsedReport {
	const named = tests.filter(({ name, status }) => name !== "" && status === "failed");
	const failed = new Set(
		tests.filter(({ status }) => status === "failed").map((test) => test.package),
	);
	const silent = [...failed].filter((pkg) => !named.some((test) => test.package === pkg));
	const skipped = tests.filter(({ status }) => status === "skipped").length;
	const report = countsReport({ passed: 0, failed: named.length + silent.length, skipped });
	return report.kind === "counts" ? { ...report, hint: NEEDS_NAMES } : report;
}
