import type { Field, TaskField } from "./field.ts";
import type { FallbackChains } from "./kinship.ts";
import type { Reporter } from "./reporter.ts";
import type { CheckKind, Waivable } from "./workflow.ts";

/** A file as its rules read it: each task over `defaults`, in the order of the file. */
export interface RuleInput {
	readonly root: Field;
	readonly tasks: readonly TaskField[];
	readonly chains: FallbackChains;
	readonly facts: FileFacts;
	readonly report: Reporter;
}

export interface FileFacts {
	readonly kinds: ReadonlySet<unknown>;
	readonly coverageFormats: readonly string[];
	readonly acceptanceFormats: readonly (string | undefined)[];
	readonly runsMutants: boolean;
	readonly isWaived: (kind: Waivable) => boolean;
	/** `human.enabled` as written; anything but `false` leaves it on. */
	readonly human: unknown;
}

export function fileFacts(root: Field): FileFacts {
	const checks = root
		.at("checks")
		.entries()
		.map(({ field }) => field);
	const kindOf = (check: Field): unknown => check.at("kind").value;
	const formatsOf = (kind: CheckKind): (string | undefined)[] =>
		checks
			.filter((check) => kindOf(check) === kind)
			.map((check) => check.at("report").at("format").text);
	return {
		kinds: new Set(checks.map(kindOf)),
		coverageFormats: formatsOf("coverage").filter((format) => format !== undefined),
		acceptanceFormats: formatsOf("acceptance"),
		runsMutants: root.at("mutation").at("when").value !== "never",
		isWaived: (kind) => root.at("waive").at(kind).text !== undefined,
		human: root.at("human").at("enabled").value,
	};
}

export function hasHuman(task: Field, { human }: FileFacts): boolean {
	const own = task.at("overlays").at("hil").at("enabled");
	return (own.present ? own.value : human) !== false;
}

export function enabledOverlay(
	task: Field,
	key: "paired_workflow" | "confidence_loop",
): Field | undefined {
	const overlay = task.at("overlays").at(key);
	return overlay.at("enabled").value === true ? overlay : undefined;
}

export function hasCriteria(task: Field): boolean {
	return [task, ...task.at("subtasks").items()].some(
		(part) => part.at("acceptance_criteria").items().length > 0,
	);
}

export function hasGate(task: Field, { kinds }: FileFacts): boolean {
	if (task.at("formal_review").value === true) return false;
	const gate = task.at("overlays").at("policy_gate");
	const enabled = gate.at("enabled").value;
	if (typeof enabled === "boolean") return enabled;
	const tier = gate.at("risk_tier").value;
	const asksForMore = tier === "T1" || tier === "T2" || gate.at("require_coverage").value === true;
	return kinds.has("acceptance") || asksForMore;
}
