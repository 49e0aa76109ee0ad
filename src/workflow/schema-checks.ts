import * as z from "zod";
import { aboutGlob, aboutPath } from "./complaints.ts";
import { duration, judged, mapping, text, verbatim } from "./schema-values.ts";

/** Run of a checklist item without `timeout`, in milliseconds: 10 minutes. */
export const CHECK_TIMEOUT_MS = 600_000;

const KINDS = ["acceptance", "lint", "security", "readiness", "coverage"] as const;

export type CheckKind = (typeof KINDS)[number];

/** `sarif` and `npm-audit`: lists of problems. `lcov` to `coverage.py`: covered lines. `mutation`: mutants. */
export const KINDS_OF_FORMAT = {
	junit: KINDS,
	trx: KINDS,
	tap: KINDS,
	ctrf: KINDS,
	"node-test": KINDS,
	vitest: KINDS,
	jest: KINDS,
	pytest: KINDS,
	"go-test": KINDS,
	exit: KINDS,
	sarif: ["lint", "security"],
	"npm-audit": ["security"],
	lcov: ["coverage"],
	cobertura: ["coverage"],
	clover: ["coverage"],
	jacoco: ["coverage"],
	istanbul: ["coverage"],
	gocover: ["coverage"],
	"coverage.py": ["coverage"],
	mutation: ["coverage"],
} as const satisfies Readonly<Record<string, readonly CheckKind[]>>;

export type ReportFormat = keyof typeof KINDS_OF_FORMAT;

// The keys of the record above.
const FORMATS = Object.keys(KINDS_OF_FORMAT) as ReportFormat[];

const report = mapping({
	format: z
		.enum(FORMATS)
		.describe(
			"Format of the report. sarif is for lint and security; lcov to coverage.py and mutation are for coverage; with exit only the exit code counts.",
		),
	path: judged(text, aboutPath)
		.optional()
		.describe(
			"The report's file, relative to the checkout; for junit and trx also a glob of files, which are summed. Default: standard output.",
		),
}).describe("Where to read the results. Default: only the exit code counts.");

export const checkSchema = mapping({
	kind: z.enum(KINDS).describe("What the check is evidence of."),
	run: text.describe("Shell command, run at the root of the checkout."),
	report: report.optional(),
	timeout: duration
		.optional()
		.describe(
			"Maximum duration, such as 90s or 5m. Default: 10m on the base, and on work ten times what the base took, at least 2m.",
		),
	baseline: z
		.enum(["strict", "tolerate"])
		.optional()
		.transform((baseline) => baseline ?? ("new" as const))
		.describe(
			"Default: failures from before the first turn do not count. strict: every failure counts. tolerate: a check whose exit code was red before and still is counts as absent.",
		),
	tests: z
		.array(judged(text, aboutGlob))
		.min(1)
		.optional()
		.describe(
			"Globs of the files that are test, test data or configuration of the check. Default: found by name, and by what the tests import and read.",
		),
});

export const checksSchema = z
	.record(z.string(), checkSchema)
	.default({})
	.describe("Commands that Sparring runs on the commit of each turn, by name.");

const reason = text.optional();

const waivers = verbatim({
	lint: reason.describe("Why lint is waived."),
	security: reason.describe("Why security checks are waived."),
	readiness: reason.describe("Why operational readiness is waived."),
	requirement_coverage: reason.describe("Why requirement coverage is waived."),
	verification: reason.describe("Why verification is waived."),
});

export type Waivers = Readonly<z.output<typeof waivers>>;

export const waiveSchema = waivers.transform((reasons): Waivers | undefined =>
	Object.values(reasons).some((each) => each !== undefined) ? reasons : undefined,
);
