import { performance } from "node:perf_hooks";
import type { Agent, AgentBreakdown, AgentCall, AgentOutcome } from "../agent.ts";
import { deadline } from "../deadline.ts";
import { crashOf } from "../failure-of.ts";
import { checkedOutcome } from "./value-outcome.ts";

/** How long an agent may take to end after its signal, in ms, before nobody waits for it any more. */
const GRACE_MS = 5_000;

/**
 * An agent that a program wrote itself and gave to `openSparring`, held to the rules of the port whatever it does.
 *
 * Its time limit is the agent's `timeout`. What it throws is a failure of that call, which one its words tell; so is
 * what is no outcome (`unknown`). One that does not end within 5 s of its signal is left behind: what it answers then counts no more, but it runs in
 * the same process, and nothing can keep it from writing to its checkout.
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

/** The call, whether its listener has heard anything yet, and how to keep it from hearing more. */
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

type Said =
	| { readonly kind: "gave"; readonly value: unknown }
	| { readonly kind: "threw"; readonly error: unknown };

/** What the agent gave or threw; undefined is given for one that was left behind. */
async function settled(
	value: Agent,
	call: AgentCall,
	{ signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<Said> {
	const leftBehind = Promise.withResolvers<Said>();
	let timer: NodeJS.Timeout | undefined;
	const begin = (): void => {
		timer = setTimeout(() => leftBehind.resolve({ kind: "gave", value: undefined }), graceMs);
	};
	signal.addEventListener("abort", begin, { once: true });
	try {
		return await Promise.race([said(value, call, signal), leftBehind.promise]);
	} finally {
		signal.removeEventListener("abort", begin);
		clearTimeout(timer);
	}
}

/** Asynchronous, so that what it throws at once counts like what it rejects with. */
async function said(value: Agent, call: AgentCall, signal: AbortSignal): Promise<Said> {
	try {
		return { kind: "gave", value: await value.call(call, signal) };
	} catch (error) {
		return { kind: "threw", error };
	}
}

const textOf = (error: unknown): string => {
	const text = error instanceof Error ? error.message || error.name : String(error);
	return text.split("\n", 1)[0]?.slice(0, 500) ?? "";
};
