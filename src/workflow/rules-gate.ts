import type { Field } from "./field.ts";
import { enabledOverlay, type FileFacts, hasCriteria, hasGate, hasHuman } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";

/**
 * Reports gates that are declined and asked for at once, and warns of gates that no player can pass, since
 * the workflow itself lacks what they ask for.
 */
export function reportGates(tasks: readonly TaskField[], facts: FileFacts, report: Reporter): void {
	for (const { field: task } of tasks) {
		const gate = task.at("overlays").at("policy_gate");
		// A formal review takes no gate at all, which is reported elsewhere.
		if (task.at("formal_review").value !== true) reportContradiction(task, gate, report);
		if (!(gate.present && hasGate(task, facts))) continue;
		const tier = gate.at("risk_tier");
		reportKinds(tier.present ? tier : gate, facts, report);
		reportCoverage(gate.at("require_coverage"), task, facts, report);
		if (tier.value === "T2" && !hasHuman(task, facts))
			report.warning(
				tier,
				"a task of tier T2 cannot be signed: human in the loop is off for this task",
				"set `overlays.hil.enabled: true` for the task, or `human.enabled: true`",
			);
	}
}

/**
 * A disabled gate beside keys that ask for one would merge work without the signature.
 *
 * Placed in the task where it is said there, since `defaults` may be right for the other tasks.
 */
function reportContradiction(task: Field, gate: Field, report: Reporter): void {
	const enabled = gate.at("enabled");
	if (enabled.value !== false) return;
	const asking = ASKING.flatMap((each) => {
		const field = gate.at(each.key);
		return each.values.includes(field.value) ? [{ ...each, field }] : [];
	});
	if (asking.length === 0) return;
	const said = asking.map(({ key, field }) => `${key}: ${String(field.value)}`).join(" and ");
	const isOff = isWithin(enabled, task);
	const ownAsking = asking.find(({ field }) => isWithin(field, task));
	const isMixed = asking.some(({ field }) => isWithin(field, task) !== isOff);
	const neutral = asking.map((each) => `\`${each.neutral}\``).join(" and ");
	report.error(
		(isOff ? undefined : ownAsking?.field) ?? enabled,
		`policy_gate is off, but ${said} ${asking.length > 1 ? "ask" : "asks"} for one`,
		isMixed
			? `${isOff ? "remove `enabled: false`" : "set `enabled: true`"}, or set ${neutral}, for the task`
			: `remove \`enabled: false\`, or ${asking.map(({ name }) => name).join(" and ")}`,
	);
}

/** What asks for a gate, as hints name it; `neutral` asks for none whatever `defaults` say. */
const ASKING: readonly Asking[] = [
	{ key: "risk_tier", values: ["T1", "T2"], name: "the tier", neutral: "risk_tier: T0" },
	{
		key: "require_coverage",
		values: [true],
		name: "`require_coverage`",
		neutral: "require_coverage: false",
	},
];

interface Asking {
	readonly key: string;
	readonly values: readonly unknown[];
	readonly name: string;
	readonly neutral: string;
}

/** Whether a value stands in the task itself, and not in `defaults`. */
const isWithin = ({ path }: Field, task: Field): boolean =>
	task.path.every((part, index) => path[index] === part);

const WAIVABLE: ReadonlyMap<unknown, readonly ("lint" | "security" | "readiness")[]> = new Map([
	["T1", ["lint", "security"]],
	["T2", ["lint", "security", "readiness"]],
]);

function reportKinds(tier: Field, { kinds, isWaived }: FileFacts, report: Reporter): void {
	if (!kinds.has("acceptance"))
		report.warning(
			tier,
			"this gate cannot pass: there is no acceptance check",
			"add a check with `kind: acceptance` that runs your tests",
		);
	for (const kind of WAIVABLE.get(tier.value) ?? [])
		if (!(kinds.has(kind) || isWaived(kind)))
			report.warning(
				tier,
				`a gate of tier ${String(tier.value)} cannot pass: there is no ${kind} check`,
				`add a check with \`kind: ${kind}\`, or waive it: \`waive: { ${kind}: "the reason" }\``,
			);
}

function reportCoverage(required: Field, task: Field, facts: FileFacts, report: Reporter): void {
	if (required.value !== true || facts.isWaived("requirement_coverage")) return;
	if (enabledOverlay(task, "paired_workflow") === undefined)
		report.warning(
			required,
			"require_coverage cannot be met: without a coach nobody reports which criteria are met",
			"enable `paired_workflow`, or remove `require_coverage`",
		);
	else if (!hasCriteria(task))
		report.warning(
			required,
			"require_coverage cannot be met: the task has no acceptance criteria",
			"add `acceptance_criteria`, or remove `require_coverage`",
		);
}
