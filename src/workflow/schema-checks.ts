import * as z from "zod";
import { duration, mapping, text } from "./schema-values.ts";
import type { CheckKind, ReportFormat } from "./workflow.ts";

/** Run of a check without `timeout`, in milliseconds: 10 minutes. */
const CHECK_TIMEOUT_MS = 600_000;

/** Kinds of a check. */
const KINDS: readonly [CheckKind, ...CheckKind[]] = [
	"acceptance",
	"lint",
	"security",
	"readiness",
	"coverage",
];

/** Report formats, each with the kinds of check whose results it can hold. */
export const KINDS_OF_FORMAT: Readonly<Record<ReportFormat, readonly CheckKind[]>> = {
	junit: KINDS,
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
	jacoco: ["coverage"],
	istanbul: ["coverage"],
	gocover: ["coverage"],
	"coverage.py": ["coverage"],
	mutation: ["coverage"],
};

// Its keys are those of the record above, whose type lists every format.
const FORMATS = Object.keys(KINDS_OF_FORMAT) as ReportFormat[];

const report = mapping({
	format: z.enum(FORMATS).meta({
		title: "Format",
		description:
			"Format of the report; sarif: of lint and security; lcov to coverage.py and mutation: of coverage; exit: the exit code alone counts.",
	}),
	path: text.optional().meta({
		title: "Path",
		description: "The report's file, relative to the checkout. Default: standard output.",
	}),
}).meta({
	title: "Report",
	description: "Where the results stand. Default: judged by the exit code.",
});

const check = mapping({
	kind: z.enum(KINDS).meta({ title: "Kind", description: "What the check is evidence of." }),
	run: text.meta({
		title: "Run",
		description: "The command, a line for the shell, run at the checkout's root.",
	}),
	report: report.optional(),
	timeout: duration
		.default(CHECK_TIMEOUT_MS)
		.meta({ title: "Timeout", description: "Longest duration, such as 90s or 5m. Default: 10m." }),
	baseline: z.enum(["strict", "tolerate"]).optional().meta({
		title: "Baseline",
		description:
			"What failed before the first turn and still fails is known and not counted; strict: every failure counts; tolerate: a red exit code that was red before is no value.",
	}),
});

/** A check as the file has it. */
export type CheckFile = z.infer<typeof check>;

/** The checks by name. */
export const checksSchema = z.record(z.string(), check).default({}).meta({
	title: "Checks",
	description: "What Sparring itself runs on each turn's commit, by name.",
});

const reason = text.optional();

/** `waive`: kinds of evidence that are not asked for, each with the reason. */
export const waiveSchema = mapping({
	lint: reason.meta({ title: "Lint", description: "Why lint is waived." }),
	security: reason.meta({ title: "Security", description: "Why security checks are waived." }),
	readiness: reason.meta({
		title: "Readiness",
		description: "Why operational readiness is waived.",
	}),
	requirement_coverage: reason.meta({
		title: "Requirement coverage",
		description: "Why requirement coverage is waived.",
	}),
	verification: reason.meta({ title: "Verification", description: "Why verification is waived." }),
});

/** `waive` as the file has it. */
export type WaiveFile = z.infer<typeof waiveSchema>;
