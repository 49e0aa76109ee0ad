import type { Evidence, TestCounts } from "../evidence/evidence.ts";
import { fenced } from "./fenced.ts";

/** Longest list of failing cases or violations in a prompt, in characters; the context file has all. */
const DETAILS_LIMIT = 8_000;
const TAIL_LIMIT = 4_000;

function countsText(counts: TestCounts | null): string {
	if (counts === null) return "";
	const { total, passed, failed, skipped, knownFailing } = counts;
	const known = knownFailing === 0 ? "" : `, ${knownFailing} failing since before this task`;
	return ` (${total} cases: ${passed} passed, ${failed} failed, ${skipped} skipped${known})`;
}

/**
 * A piece of evidence for a prompt: a line such as `"- tests (acceptance): fail (10 cases: ...)"`, then its reason in a
 * fence, since it can quote file names and output; then its details (failing cases, violations, remarks), and unless
 * it passed the end of the output, verbatim.
 */
export function evidenceText(evidence: Evidence): string {
	const { check, kind, status, counts, reason, details, outputTail } = evidence;
	const passed = status === "pass";
	const said = [...(reason === null ? [] : [reason]), ...details];
	const parts = [`- ${check} (${kind}): ${status}${countsText(counts)}`];
	if (said.length > 0) parts.push(fenced(`What ${check} says`, said.join("\n"), DETAILS_LIMIT));
	if (!passed && outputTail.trim() !== "")
		parts.push(fenced(`End of the output of ${check}`, outputTail, TAIL_LIMIT));
	return parts.join("\n\n");
}
