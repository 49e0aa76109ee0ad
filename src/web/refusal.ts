import { Fault, type FaultCode } from "../kernel/fault.ts";
import type { Refused } from "./guard.ts";
import type { Problem } from "./problem.ts";

type FaultStatus = 400 | 404 | 409 | 500;

/** Faults that say that nothing of a name is there. */
const MISSING: readonly FaultCode[] = ["run-not-found", "task-not-found", "item-not-found"];

/** Faults that say that the state is another one than the request takes it for. */
const CHANGED: readonly FaultCode[] = [
	"outdated",
	"run-held",
	"run-not-resumable",
	"nothing-to-land",
	"checkout-dirty",
	"branch-in-use",
	"base-moved",
	"preflight-refused",
	"lease-lost",
];

/** Faults of what was asked. */
const WRONG: readonly FaultCode[] = ["usage", "answer-invalid", "workflow-invalid"];

/** The status of an answer that tells of a fault. */
export function statusOf({ code }: Fault): FaultStatus {
	if (MISSING.includes(code)) return 404;
	if (CHANGED.includes(code)) return 409;
	return WRONG.includes(code) ? 400 : 500;
}

/** What the page is told of a refusal. */
export function problemOf({ code, message, hint }: Fault | Refused): Problem {
	return { error: { code, message, hint: hint ?? null } };
}

/** What the page is told of a bug: nothing of it, since it could quote anything. The terminal has the rest. */
export const BUG: Problem = {
	error: {
		code: "bug",
		message: "this is a bug in Sparring",
		hint: "The terminal in which `spar ui` runs says more; please report it.",
	},
};

/** A request that makes no sense. */
export function wrong(message: string, cause?: unknown): Fault {
	return new Fault(message, { code: "usage", cause });
}
