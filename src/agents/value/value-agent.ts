import { performance } from "node:perf_hooks";
import { countAt, type Fields, isFields, textAt, tokensAt } from "../../kernel/fields.ts";
import { AGENT_FAILURES } from "../../kernel/roles.ts";
import { Capture } from "../../process/capture.ts";
import type { Agent, AgentBreakdown, AgentCall, AgentOutcome, Usage } from "../agent.ts";
import { deadline } from "../deadline.ts";
import { crashOf } from "../failure-of.ts";
import { MAX_REPORT_BYTES } from "../parse-report.ts";

const GRACE_MS = 5_000;

/**
 * An agent that a program wrote itself and gave to `openSparring`, held to the rules of the port whatever it does. What
 * it throws is a failure of that call; so is what is no outcome (`unknown`). One that does not end within 5 s of its
 * signal is left behind: what it answers then counts no more, but it runs in the same process, and nothing can keep it
 * from writing to its checkout.
 */
export function valueAgent(value: Agent, { graceMs = GRACE_MS } = {}): Agent {
	return {
		handsIn: value.handsIn === "file" ? "file" : "message",
		call: async (call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> => {
			signal.throwIfAborted();
			const start = performance.now();
			const spoken = heardBy(call);
			const limit = deadline(call.timeoutMs, signal);
			const said = await settled(value, spoken.call, { signal: limit.signal, graceMs });
			limit.clear();
			spoken.end();
			signal.throwIfAborted();
			const ms = performance.now() - start;
			const broken = (failure: AgentBreakdown["failure"], message: string): AgentBreakdown => ({
				kind: "failed",
				failure,
				message: `agent ${call.agent} ${message}`,
				output: "",
				ms,
			});
			if (limit.timedOut())
				return broken("timeout", `did not answer within ${call.timeoutMs / 1_000} s`);
			if (said.kind === "threw") {
				const text = textOf(said.error);
				return broken(crashOf(text) ?? "unknown", `threw: ${text}`);
			}
			const checked = checkedOutcome(said.value, ms);
			if (!checked.ok) return broken("unknown", `gave ${checked.problem}`);
			const { output } = checked.outcome;
			if (output !== "" && !spoken.isHeard()) call.onOutput?.(output);
			return checked.outcome;
		},
	};
}

function heardBy(call: AgentCall) {
	let heard = false;
	let ended = false;
	const onOutput = (text: string): void => {
		if (ended) return;
		heard = true;
		call.onOutput?.(text);
	};
	const end = (): void => {
		ended = true;
	};
	return { call: { ...call, onOutput }, isHeard: () => heard, end };
}

type ValueOutcome =
	| { readonly kind: "gave"; readonly value: unknown }
	| { readonly kind: "threw"; readonly error: unknown };

// Undefined is given for one that was left behind.
async function settled(
	value: Agent,
	call: AgentCall,
	{ signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<ValueOutcome> {
	const leftBehind = Promise.withResolvers<ValueOutcome>();
	let timer: NodeJS.Timeout | undefined;
	const begin = (): void => {
		timer = setTimeout(() => leftBehind.resolve({ kind: "gave", value: undefined }), graceMs);
	};
	signal.addEventListener("abort", begin, { once: true });
	try {
		// Asynchronous, so that what it throws at once counts like what it rejects with.
		const given = Promise.resolve().then(() => value.call(call, signal));
		const said = given.then(
			(outcome): ValueOutcome => ({ kind: "gave", value: outcome }),
			(error: unknown): ValueOutcome => ({ kind: "threw", error }),
		);
		return await Promise.race([said, leftBehind.promise]);
	} finally {
		signal.removeEventListener("abort", begin);
		clearTimeout(timer);
	}
}

const textOf = (error: unknown): string => {
	const text = error instanceof Error ? error.message || error.name : String(error);
	return text.split("\n", 1)[0]?.slice(0, 500) ?? "";
};

/** The outcome of a program's own agent, or what is wrong with it in a few words. */
export type CheckedOutcome =
	| { readonly ok: true; readonly outcome: AgentOutcome }
	| { readonly ok: false; readonly problem: string };

// Nothing but the known fields is kept: it may come from JavaScript, or be changed later.
function checkedOutcome(value: unknown, ms: number): CheckedOutcome {
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
