import { Fault } from "../kernel/fault.ts";
import { type PreflightProblem, preflightText, weightOf } from "./preflight-problem.ts";
import type { Supervision } from "./run-options.ts";

/**
 * Asks a person about what blocks or is doubtful; without one what blocks is refused, and what is doubtful is told.
 *
 * @param canAsk people are on, and somebody sits at a terminal
 */
export function decidePreflight(
	problems: readonly PreflightProblem[],
	{ anyway, canAsk }: { readonly anyway: boolean; readonly canAsk: boolean },
): "proceed" | "ask" | "refuse" {
	const weights = new Set(problems.map(weightOf));
	if (anyway || (!weights.has("blocks") && !weights.has("doubtful"))) return "proceed";
	if (canAsk) return "ask";
	return weights.has("blocks") ? "refuse" : "proceed";
}

export interface PreflightRequest {
	readonly problems: readonly PreflightProblem[];
	readonly supervision: Pick<Supervision, "onNotice" | "onPreflight"> & {
		readonly anyway?: boolean | undefined;
	};
	readonly people: boolean;
	readonly hint: string;
}

/** Tells what a preflight found, and asks where that is to be asked about. @throws Fault `preflight-refused` */
export async function settlePreflight({
	problems,
	supervision,
	people,
	hint,
}: PreflightRequest): Promise<"clear" | "went_on"> {
	const { onNotice, onPreflight, anyway = false } = supervision;
	const ask = people ? onPreflight : undefined;
	const decision = decidePreflight(problems, { anyway, canAsk: ask !== undefined });
	const open = problems.filter((problem) => weightOf(problem) !== "notice");
	// What later turns do not count is told where there will be some.
	const later = problems.filter(({ kind }) => kind === "uncounted");
	for (const problem of problems) {
		if (later.includes(problem)) continue;
		if (decision === "proceed" || weightOf(problem) === "notice")
			onNotice?.(preflightText(problem));
	}
	if (decision === "refuse") throw refusal(open.map(preflightText).join("\n"), hint);
	if (decision === "ask" && !(await ask?.(open)))
		throw refusal("stopped before the first call", hint);
	for (const problem of later) onNotice?.(preflightText(problem));
	return open.length === 0 ? "clear" : "went_on";
}

const refusal = (message: string, hint: string): Fault =>
	new Fault(message, { code: "preflight-refused", hint: `No agent was called.\n${hint}` });
