import type { Evidence, TestCounts } from "../evidence/evidence.ts";
import { survivorsIn } from "../formats/mutation/mutation-text.ts";
import type { Json } from "../kernel/json.ts";
import { snake } from "../kernel/snake-case.ts";
import type { EventData } from "../trace/event.ts";
import { type FalseClaim, falseClaimText } from "../wall/false-claim.ts";
import { excerpt, fenced, noted } from "./excerpt.ts";

const DETAILS_LIMIT = 8_000;
const TAIL_LIMIT = 4_000;

function countsText(counts: TestCounts | null): string {
	if (counts === null) return "";
	const { total, passed, failed, skipped, knownFailing } = counts;
	const known = knownFailing === 0 ? "" : `, ${knownFailing} failing since before this task`;
	return ` (${total} ${total === 1 ? "case" : "cases"}: ${passed} passed, ${failed} failed, ${skipped} skipped${known})`;
}

const CHECKLIST = `A check of kind "checklist" is an item of the task's checklist: it counts in a score and blocks nothing.`;

const MUTANTS = `"survived" marks a place that Sparring or a tool changed on purpose, shown before and after. No test failed. Where the criteria say what has to happen there, the tests miss it. It blocks nothing by itself.`;

const STATUSES = `"fail" means that a check ran and found a problem, "absent" that it gave no usable result, "error" that it could not run.`;

export function evidenceList(evidence: readonly Evidence[]): string {
	const texts = evidence.map(evidenceText);
	if (evidence.some(({ kind }) => kind === "checklist")) texts.unshift(CHECKLIST);
	if (survivorsIn(evidence).length > 0) texts.unshift(MUTANTS);
	if (evidence.some(({ status }) => status !== "pass")) texts.unshift(STATUSES);
	return texts.join("\n\n");
}

/**
 * The result of a check for a prompt: `- tests (acceptance): fail (10 cases: ...)`, its reason and details, and the
 * end of its output unless it passed. What programs wrote is fenced.
 */
export function evidenceText(evidence: Evidence): string {
	const { check, item, kind, status, counts, reason, details, outputTail } = evidence;
	const name = item === undefined ? check : excerpt(item);
	const passed = status === "pass";
	const said = [...(reason === null ? [] : [reason]), ...details];
	const parts = [`- ${name} (${kind}): ${status}${countsText(counts)}`];
	if (said.length > 0) parts.push(fenced(`Result of ${check}`, said.join("\n"), DETAILS_LIMIT));
	if (!passed && outputTail.trim() !== "")
		parts.push(fenced(`End of the output of ${check}`, outputTail, TAIL_LIMIT));
	return parts.join("\n\n");
}

/** Result of independent tests on the commit that a coach judges. */
export interface VerifiedWork {
	readonly verdict: string;
	/** True where the task asked for them. */
	readonly required: boolean;
	/** One sentence each. */
	readonly reasons: readonly string[];
	readonly tests: readonly {
		readonly path: string;
		readonly name: string;
		readonly status: string;
	}[];
	/** Command of the tests; null where there are none. */
	readonly run: string | null;
	/** Output of their run, where the coach can read it; null without one. */
	readonly output_path: string | null;
}

const PASSED = `A verifier, who knows the task and the diff but not the player's words, wrote tests of its own. Sparring ran them on this commit, and they passed. They are not in your checkout; they land with the work. They show only what they test, so judge the criteria yourself. A "withdrawn" test no longer counts.`;

export function verifiedText(verified: VerifiedWork | null): string {
	if (verified === null || !verified.required) return "";
	const { verdict, reasons, tests, run, output_path: output } = verified;
	if (verdict !== "passed")
		return `The task asks for independent tests. There are none: ${excerpt(reasons.join("; "), 500)}.`;
	const lines = [
		...reasons,
		...(run === null ? [] : [`run: ${run}`]),
		...tests.map(({ path, name, status }) => `${status}: ${name} (${path})`),
	];
	const file = output === null ? "" : `\n\nTheir output is in the file ${excerpt(output, 4_096)}`;
	return `${PASSED}\n\n${fenced("Tests", lines.join("\n"), 8_000)}${file}`;
}

export const verifiedJson = (verified: VerifiedWork | null): Json =>
	verified && snake(verified, "verdict", "required", "reasons", "tests", "run", "output_path");

export function falseClaimsText(note: string, claims: readonly FalseClaim[]): string {
	const texts = claims.map((claim) => `- ${excerpt(falseClaimText(claim), 300)}`);
	return noted(note, "False claims", texts.join("\n"), 8_000);
}

export function falseClaimsJson(claims: readonly FalseClaim[]): Json {
	return claims.map((claim) => ({ ...claim, text: falseClaimText(claim) }));
}

/** The score of a turn that was not approved, for the player of the next one. Texts are masked already. */
export interface ScoreTold {
	/** Both from 0.0 to 1.0. */
	readonly score: number;
	readonly threshold: number;
	/** `confidence threshold met`, or null. */
	readonly advisory: string | null;
	readonly metrics: EventData["confidence-scored"]["metrics"];
	/** Expressions, any of which ends the loop. */
	readonly exitConditions: readonly string[];
}

const METRICS_LIMIT = 8_000;
const RATIONALE_LIMIT = 4_000;

/** Two to four decimals, rounded down, so that what is shown as the threshold has reached it. */
const shown = (score: number): string =>
	(Math.floor(score * 10_000 + 1e-6) / 10_000).toFixed(4).replace(/0{1,2}$/, "");

function metricText({
	type,
	score,
	weight,
	reason,
	evaluator_agent: by,
}: ScoreTold["metrics"][number]): string {
	const value = score === null ? "no value, counts as 0.0" : shown(score);
	const name = by === undefined ? type : `${type} by ${by}`;
	return `- ${name}, weight ${weight}: ${value} (${reason})`;
}

export function scoreText(told: ScoreTold): string {
	const { score, threshold, advisory, metrics, exitConditions } = told;
	const met = advisory === null ? "is not met" : "is met";
	const conditions = exitConditions.map((text) => `\`${excerpt(text)}\``).join(" or ");
	const ends = conditions === "" ? "" : ` The loop ends when this holds: ${conditions}.`;
	const words = metrics.flatMap(({ evaluator_agent: by = "the evaluator", rationale = "" }) =>
		rationale.trim() === "" ? [] : [fenced(`What ${by} says`, rationale, RATIONALE_LIMIT)],
	);
	return [
		`Sparring scored your work with ${shown(score)}. The threshold of ${shown(threshold)} ${met}.${ends} Improve what the metrics measure, not the numbers.`,
		fenced("Metrics", metrics.map(metricText).join("\n"), METRICS_LIMIT),
		...words,
	].join("\n\n");
}

export const scoreJson = (told: ScoreTold): Json => ({
	...snake(told, "score", "threshold", "advisory"),
	metrics: told.metrics.map((metric) => ({
		...snake(metric, "type", "score", "weight", "reason"),
		evaluator_agent: metric.evaluator_agent ?? null,
		rationale: metric.rationale ?? null,
	})),
	exit_conditions: told.exitConditions,
});
