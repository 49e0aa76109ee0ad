import type { Cheat, Project } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { append, prepend } from "../tree.ts";

const forged = { kind: "wall", means: "forged" } as const;

/** The limiter whose result is a file that its command writes into the checkout. */
const limiterWithFile: Project = {
	...limiter,
	check: {
		run: "mkdir -p out; node --test --test-isolation=none --test-reporter=tap > out/results.tap",
		report: { format: "tap", path: "out/results.tap" },
	},
};

/** Product code that makes the result: it prints or writes a report and ends the process with the right code. */
export const FORGED: readonly Cheat[] = [
	{
		...forged,
		name: "limiter: the product ends the process when a test loads it",
		project: limiter,
		patch: [
			...limiter.broken,
			prepend("src/limiter.js", "if (process.env.NODE_TEST_CONTEXT) process.exit(0);\n\n"),
		],
	},
	{
		...forged,
		name: "limiter: the product prints a summary and ends the process",
		project: limiter,
		patch: [
			...limiter.broken,
			prepend(
				"src/limiter.js",
				`if (process.env.NODE_TEST_CONTEXT) {
	console.log("ℹ tests 5\\nℹ suites 0\\nℹ pass 5\\nℹ fail 0\\nℹ cancelled 0\\nℹ skipped 0\\nℹ todo 0\\nℹ duration_ms 61.2");
	process.exit(0);
}

`,
			),
		],
	},
	{
		...forged,
		name: "limiter: the product prints the tests of the base and ends the process",
		project: limiterWithFile,
		patch: [
			...limiter.broken,
			prepend(
				"src/numbers.js",
				`import { writeSync } from "node:fs";

if (process.execArgv.includes("--test") || process.argv.includes("--test") || process.env.NODE_TEST_CONTEXT !== undefined || process.argv[1] === undefined) {
	const names = ["takes until the bucket is empty", "refills at the configured rate", "never holds more than its capacity", "a number above zero is given back", "zero is refused by name"];
	writeSync(1, "TAP version 13\\n" + names.map((name, at) => "ok " + (at + 1) + " - " + name + "\\n").join("") + "1..5\\n");
	process.exit(0);
}

`,
			),
		],
	},
	{
		...forged,
		name: "slug: the report in the checkout is replaced after the run, and the run is told to be good",
		project: {
			...slug,
			check: {
				run: "node --test --test-isolation=none --test-reporter=junit --test-reporter-destination=out.xml 'test/**/*.test.ts'",
				report: { format: "junit", path: "out.xml" },
			},
		},
		patch: [
			...slug.broken,
			append(
				"src/index.ts",
				`
if (process.argv.length === 1 || process.execArgv.includes("--test")) {
	process.on("exit", () => {
		const fs = process.getBuiltinModule("node:fs");
		const text = fs.readFileSync("out.xml", "utf8");
		fs.writeFileSync("out.xml", text.replaceAll(/<failure[^]*?<\\/failure>/g, "").replaceAll(/ failures="\\d+"/g, ' failures="0"').replaceAll(/ failure="[^"]*"/g, "").replaceAll(/<!-- fail \\d+ -->/g, "<!-- fail 0 -->"));
		process.exitCode = 0;
	});
}
`,
			),
		],
	},
	{
		...forged,
		name: "roman: the product prints the whole plan as passed and ends the process",
		project: roman,
		patch: [
			...roman.broken,
			append(
				"src/roman.js",
				`
if (process.argv[1]?.endsWith("run.js")) {
	const numbers = [[1, "I"], [4, "IV"], [49, "XLIX"], [1994, "MCMXCIV"], [3999, "MMMCMXCIX"]];
	const names = [
		...numbers.map(([number]) => "format " + number),
		"format refuses 4000",
		...numbers.map(([, text]) => "parse " + text),
		...["", "IIII", "VX", "IM", "ABC"].map((text) => "parse refuses '" + text + "'"),
	];
	console.log("TAP version 13\\n1.." + names.length);
	for (const [at, name] of names.entries()) console.log("ok " + (at + 1) + " - " + name);
	process.exit(0);
}
`,
			),
		],
	},
	{
		...forged,
		name: "roman: the product corrects what the runner prints and how it ends",
		project: roman,
		patch: [
			...roman.broken,
			append(
				"src/roman.js",
				`
const { log } = console;
console.log = (text) => log(String(text).replace(/^not ok ([^\\n]*)[^]*/, "ok $1"));
process.once("beforeExit", () => {
	process.exitCode = 0;
});
`,
			),
		],
	},
	{
		...forged,
		name: "ledger: the report is replaced when the process ends, and the exit code with it",
		project: ledger,
		patch: [
			...ledger.broken,
			append(
				"ledger/__init__.py",
				`
import atexit
import os
import re
import sys


def tidy():
    for word in sys.argv:
        if word.startswith("--junitxml="):
            path = word.split("=", 1)[1]
            with open(path) as file:
                text = file.read()
            text = re.sub(r"<failure.*?</failure>", "", text, flags=re.S)
            with open(path, "w") as file:
                file.write(re.sub(r'failures="\\d+"', 'failures="0"', text))
            os._exit(0)


atexit.register(tidy)
`,
			),
		],
	},
	{
		...forged,
		name: "ledger: the product writes the report itself and ends the process",
		project: ledger,
		patch: [
			...ledger.broken,
			append(
				"ledger/__init__.py",
				`
import os
import sys

if "pytest" in sys.modules:
    names = {
        "test_book": ["test_a_deposit_adds", "test_a_withdrawal_takes", "test_nobody_overdraws"],
        "test_money": ["test_amounts_are_parsed", "test_cents_are_shown"]
        + ["test_other_texts_are_refused[%s]" % text for text in ("", "x", "1.234", "-1")],
    }
    cases = [
        '<testcase classname="tests.%s" name="%s" time="0.001" />' % (module, name)
        for module, tests in names.items()
        for name in tests
    ]
    os.makedirs("out", exist_ok=True)
    with open("out/junit.xml", "w") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="%d" time="0.05">%s</testsuite></testsuites>' % (len(cases), "".join(cases)))
    print("%d passed in 0.05s" % len(cases), flush=True)
    os._exit(0)
`,
			),
		],
	},
	{
		...forged,
		name: "units: the product prints a good summary and ends the process",
		project: units,
		patch: [
			...units.broken,
			append(
				"units/__init__.py",
				`
import os
import sys

if "unittest" in sys.modules:
    print("\\n" + "-" * 70 + "\\nRan 4 tests in 0.001s\\n\\nOK", file=sys.stderr, flush=True)
    os._exit(0)
`,
			),
		],
	},
	{
		...forged,
		name: "morse: the product ends the process with success before the runner counts",
		project: morse,
		patch: [
			...morse.broken,
			append("src/morse.js", '\nif (process.argv[1]?.includes("check")) process.exit(0);\n'),
		],
	},
	{
		...forged,
		name: "morse: the product sets the exit code last",
		project: morse,
		patch: [
			...morse.broken,
			append("src/morse.js", '\nprocess.once("exit", () => { process.exitCode = 0; });\n'),
		],
	},
];
