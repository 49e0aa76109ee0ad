import { notCounted } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { checkWords } from "../kernel/replayed.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import type { Waivable } from "../workflow/workflow.ts";
import type { GateCheck } from "./gate-report.ts";
import type { PolicyInput } from "./policy-input.ts";

/** The most serious status first. A pass must not hide a waiver. */
const WEIGHT: readonly GateCheck["status"][] = ["FAIL", "ABSENT", "WAIVED", "PASS", "SKIPPED"];

export function combine(parts: readonly GateCheck[]): GateCheck {
	const status = parts.reduce<GateCheck["status"]>(
		(most, part) => (WEIGHT.indexOf(part.status) < WEIGHT.indexOf(most) ? part.status : most),
		"SKIPPED",
	);
	return { status, details: parts.map(({ details }) => details).join("\n") };
}

function describe(piece: Evidence, baseline: PolicyInput["baseline"]): string {
	const { check, kind, status, reason } = piece;
	const left = kind === "acceptance" ? notCounted(piece, baseline?.get(check)) : "";
	const parts = [reason ?? "", left === "" ? "" : `not counted: ${left}`];
	const why = parts.filter((text) => text !== "").join("; ");
	return why === ""
		? `${checkWords(check)}: ${status}`
		: `${checkWords(check)}: ${status} (${why})`;
}

function ofKinds(
	{ evidence }: PolicyInput,
	kinds: readonly Evidence["kind"][],
): readonly Evidence[] {
	return evidence.filter(({ kind, purpose }) => purpose !== "baseline" && kinds.includes(kind));
}

/**
 * PASS means: there is evidence of each kind, every configured check of these kinds produced some, and all of it
 * passed on this tree. Kinds in `besides` may lack evidence; what there is has to pass.
 */
export function requiredKinds(
	input: PolicyInput,
	kinds: readonly Evidence["kind"][],
	besides: readonly Evidence["kind"][] = [],
): GateCheck {
	const evidence = ofKinds(input, [...kinds, ...besides]);
	const ofTree = evidence.filter((item) => item.tree === input.tree);
	const stale = evidence.filter((item) => item.tree !== input.tree);
	const silent = input.checks.filter(
		({ name, kind }) => kinds.includes(kind) && !evidence.some(({ check }) => check === name),
	);
	const lacking = kinds.filter(
		(kind) => ![...evidence, ...silent].some((item) => item.kind === kind),
	);
	const details = [
		...ofTree.map((piece) => describe(piece, input.baseline)),
		...stale.map(({ check }) => `${check}: absent (its evidence is for another tree)`),
		...silent.map(({ name }) => `${name}: absent (it produced no evidence)`),
		...lacking.map((kind) => `no ${kind} check produced evidence`),
	].join("\n");
	if (ofTree.some(({ status }) => status === "fail")) return { status: "FAIL", details };
	const short = ofTree.some(isShort);
	const absent = short || stale.length + silent.length + lacking.length > 0;
	return { status: absent ? "ABSENT" : "PASS", details };
}

export function shownKinds(
	input: PolicyInput,
	kinds: readonly Evidence["kind"][],
	note: string,
): GateCheck {
	const shown = ofKinds(input, kinds).map((piece) => describe(piece, input.baseline));
	return { status: "SKIPPED", details: [note, ...shown].join("\n") };
}

export function waiver(
	{ waive }: Pick<PolicyInput, "waive">,
	kind: Waivable,
	label: string,
): GateCheck | null {
	const reason = waive[kind]?.trim() ?? "";
	return reason === "" ? null : { status: "WAIVED", details: `${label}: waived (${reason})` };
}

/** Judges a kind that can be waived. A waiver still shows the evidence. */
export function waivableKind(
	input: PolicyInput,
	kind: "lint" | "security" | "readiness",
): GateCheck {
	const waived = waiver(input, kind, kind);
	if (waived === null) return requiredKinds(input, [kind]);
	return { status: "WAIVED", details: shownKinds(input, [kind], waived.details).details };
}
