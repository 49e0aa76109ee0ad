import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { CheckDefinition, CheckKind, ChecklistItem } from "../workflow/workflow.ts";
import type { Evidence } from "./evidence.ts";

/** A check of the workflow, an item of a task's checklist, or a tool that runs mutants. */
export interface RunDefinition extends Omit<CheckDefinition, "kind"> {
	readonly kind: CheckKind | "checklist" | "mutation";
	/** The text of an item. */
	readonly item?: string;
}

/** An item of a checklist with its result. Only `pass` counts as done. */
export interface ChecklistResult {
	/** Its text, masked. */
	readonly item: string;
	readonly status: EvidenceStatus;
	/** Null only for `pass`. */
	readonly reason: string | null;
}

// No check can have such a name, and a file can.
const nameOf = (index: number): string => `checklist/${index + 1}`;

/** The items of a checklist as they are run, judged by their exit code alone: `checklist/1` and so on. */
export function checklistRuns(items: readonly ChecklistItem[]): RunDefinition[] {
	return items.map(({ item, run, timeoutMs }, index) => ({
		...({ name: nameOf(index), kind: "checklist", baseline: "new" } as const),
		item,
		run,
		timeoutMs,
		report: { format: "exit" },
	}));
}

/**
 * The result of each item of a checklist on a tree, in its order. One without evidence is `absent`.
 *
 * @param count of the items
 */
export function checklistResults(
	count: number,
	evidence: readonly Evidence[],
	tree: string,
): ChecklistResult[] {
	const own = evidence.filter((piece) => piece.kind === "checklist" && piece.tree === tree);
	return Array.from({ length: count }, (_, index) => {
		const name = nameOf(index);
		const piece = own.find(({ check }) => check === name);
		return piece === undefined
			? { item: name, status: "absent", reason: "it was not run" }
			: { item: piece.item ?? name, status: piece.status, reason: piece.reason };
	});
}
