import { isoTime } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Fence, LeaseScope } from "./records.ts";

/** Stored form of a scope. @example `{ task: "limiter" }` is `"task:limiter"` */
export function scopeName(scope: LeaseScope): string {
	return typeof scope === "string" ? scope : `task:${scope.task}`;
}

export function heldText(runId: string, scope: LeaseScope): string {
	if (scope === "run") return `run ${runId}`;
	return scope === "integration"
		? `the integration branch of run ${runId}`
		: `task ${scope.task} of run ${runId}`;
}

export function leaseLost({ runId, scope }: Pick<Fence, "runId" | "scope">): Fault {
	return new Fault(
		`${heldText(runId, scope)} was taken over by another process; this process no longer writes to it`,
		{
			code: "lease-lost",
			hint: "See `spar status` for the state of the run.",
		},
	);
}

/** @param holder with `since` in milliseconds since the epoch */
export function runHeld(
	runId: string,
	scope: LeaseScope,
	holder: { readonly host: string; readonly pid: number; readonly since: number },
): Fault {
	const { host, pid, since } = holder;
	return new Fault(
		`${heldText(runId, scope)} is held by ${host}:pid ${pid} since ${isoTime(since)}`,
		{
			code: "run-held",
			hint: `Wait for it, or stop it with \`spar cancel ${runId}\`.`,
			retryable: true,
		},
	);
}
