import { AGENT_FAILURES } from "../../kernel/roles.ts";
import { Capture } from "../../process/capture.ts";
import type { AgentOutcome, Usage } from "../agent.ts";
import { countAt, type Fields, isFields, textAt, tokensAt } from "../fields.ts";
import { MAX_REPORT_BYTES } from "../report-limits.ts";

/** What a program's own agent resolved to, checked: the outcome, or what is wrong with it in a few words. */
export type CheckedOutcome =
	| { readonly ok: true; readonly outcome: AgentOutcome }
	| { readonly ok: false; readonly problem: string };

/**
 * Checks what code outside of Sparring resolved to, and keeps nothing of it but the known fields: it may come from
 * JavaScript, or be changed later.
 *
 * @param ms how long the call took; what the agent says of that does not count
 */
export function checkedOutcome(value: unknown, ms: number): CheckedOutcome {
	if (!isFields(value)) return wrong(`${typeName(value)} in place of an outcome`);
	const { output = "" } = value;
	if (typeof output !== "string") return wrong(`an \`output\` that is ${typeName(output)}`);
	const base = { output: capped(output), ms, usage: usageOf(value["usage"]) };
	switch (value["kind"]) {
		case "answered":
			return answered(value, base);
		case "failed":
			return failed(value, base);
		default:
			return wrong('a `kind` that is neither "answered" nor "failed"');
	}
}

type Base = Pick<AgentOutcome & { kind: "answered" }, "output" | "ms" | "usage">;

function answered({ report = null }: Fields, base: Base): CheckedOutcome {
	if (typeof report !== "string" && report !== null)
		return wrong(`a \`report\` that is ${typeName(report)}, not JSON as text`);
	if (report !== null && Buffer.byteLength(report) > MAX_REPORT_BYTES)
		return wrong(`a \`report\` of more than ${MAX_REPORT_BYTES} bytes`);
	return { ok: true, outcome: { kind: "answered", report, ...base } };
}

function failed({ failure: named, message, retryAfterMs }: Fields, base: Base): CheckedOutcome {
	const failure = AGENT_FAILURES.find((known) => known === named);
	if (failure === undefined) return wrong(`a \`failure\` other than ${AGENT_FAILURES.join(", ")}`);
	if (typeof message !== "string") return wrong(`a \`message\` that is ${typeName(message)}`);
	const wait = typeof retryAfterMs === "number" ? retryAfterMs : undefined;
	return { ok: true, outcome: { kind: "failed", failure, message, ...base, retryAfterMs: wait } };
}

/** What is no amount is unknown. */
function usageOf(value: unknown): Usage | null {
	if (!isFields(value)) return null;
	return {
		inputTokens: tokensAt(value, "inputTokens"),
		outputTokens: tokensAt(value, "outputTokens"),
		costUsd: countAt(value, "costUsd"),
		model: textAt(value, "model"),
	};
}

function capped(output: string): string {
	const capture = new Capture();
	capture.add(output);
	return capture.text();
}

function typeName(value: unknown): string {
	if (value === null || value === undefined) return String(value);
	return Array.isArray(value)
		? "a list"
		: `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

const wrong = (problem: string): CheckedOutcome => ({ ok: false, problem });
