import type { Field } from "./field.ts";
import type { CheckKind, Waivable } from "./workflow.ts";

/** What a file gives all its tasks, as far as rules ask for it. */
export interface FileFacts {
	/** The kinds of its checks. */
	readonly kinds: ReadonlySet<unknown>;
	/** The report formats of its checks of kind `coverage`. */
	readonly coverageFormats: readonly string[];
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
	const coverage: CheckKind = "coverage";
	return {
		kinds: new Set(checks.map(kindOf)),
		coverageFormats: checks
			.filter((check) => kindOf(check) === coverage)
			.flatMap((check) => check.at("report").at("format").text ?? []),
		isWaived: (kind) => root.at("waive").at(kind).text !== undefined,
		human: root.at("human").at("enabled").value,
	};
}

/** Whether a person is asked in a task. */
export function hasHuman(task: Field, { human }: FileFacts): boolean {
	const own = task.at("overlays").at("hil").at("enabled");
	return (own.present ? own.value : human) !== false;
}

/** An overlay of a task, when it is enabled. */
export function enabledOverlay(
	task: Field,
	key: "paired_workflow" | "confidence_loop",
): Field | undefined {
	const overlay = task.at("overlays").at(key);
	return overlay.at("enabled").value === true ? overlay : undefined;
}

/** Whether a gate applies to a task. */
export function hasGate(task: Field, { kinds }: FileFacts): boolean {
	if (task.at("formal_review").value === true) return false;
	const gate = task.at("overlays").at("policy_gate");
	const enabled = gate.at("enabled").value;
	if (typeof enabled === "boolean") return enabled;
	const tier = gate.at("risk_tier").value;
	const asksForMore = tier === "T1" || tier === "T2" || gate.at("require_coverage").value === true;
	return kinds.has("acceptance") || asksForMore;
}
