import type { Evidence, TestCounts } from "../evidence/evidence.ts";
import { survivorsIn } from "../evidence/mutation/mutation-text.ts";
import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";

/** Longest list of failing cases or violations in a prompt, in characters. The context file has all of them. */
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

/** The results of checks for a prompt, below a legend unless all of them passed; `""` for none. */
export function evidenceList(evidence: readonly Evidence[]): string {
	const texts = evidence.map(evidenceText);
	if (evidence.some(({ kind }) => kind === "checklist")) texts.unshift(CHECKLIST);
	if (survivorsIn(evidence).length > 0) texts.unshift(MUTANTS);
	if (evidence.some(({ status }) => status !== "pass")) texts.unshift(STATUSES);
	return texts.join("\n\n");
}

/**
 * The result of a check for a prompt: a line such as `"- tests (acceptance): fail (10 cases: ...)"`, then its reason and
 * details (failing cases, violations, remarks), and the end of its output unless it passed. What programs wrote is
 * fenced.
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
