import type { Fault, FaultCode } from "../kernel/fault.ts";
import type { RefusedRequest } from "./guard.ts";
import type { Problem } from "./protocol.ts";

const MISSING: readonly FaultCode[] = ["run-not-found", "task-not-found", "item-not-found"];

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

const WRONG: readonly FaultCode[] = ["usage", "answer-invalid", "workflow-invalid"];

export function statusOf({ code }: Fault): 400 | 404 | 409 | 500 {
	if (MISSING.includes(code)) return 404;
	if (CHANGED.includes(code)) return 409;
	return WRONG.includes(code) ? 400 : 500;
}

export function problemOf({ code, message, hint }: Fault | RefusedRequest): Problem {
	return { error: { code, message, hint: hint ?? null } };
}

export const BUG: Problem = {
	error: {
		code: "bug",
		message: "this is a bug in Sparring",
		hint: "The terminal in which `spar ui` runs says more; please report it.",
	},
};
