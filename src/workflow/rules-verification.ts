import { quote } from "./diagnostic.ts";
import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import { enabledOverlay } from "./file-facts.ts";
import { kinOf, relativesOf, shownName, withFallback } from "./kinship.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { seatFields, type TaskField } from "./task-field.ts";

/**
 * Rules about independent verification: that its author exists, can write, is there where a task needs one, and is not who
 * builds.
 */
export function reportVerification(
	root: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	const agents = root.at("agents");
	const named = root.at("verifier");
	const alias = root.at("verification").at("agent");
	for (const field of [named, alias]) {
		reportAgentName(field, agents.keys(), report);
		if (field.text !== undefined && isModel(agents, field.text))
			report.error(
				field,
				`the verifier ${shownName(field.text)} is a model by API, which cannot write tests`,
				"name an agent that works in a checkout, such as one of adapter claude, codex or command",
			);
	}
	if (named.text !== undefined && alias.text !== undefined && named.text !== alias.text)
		report.error(
			alias,
			`verification.agent ${quote(alias.text)} differs from verifier ${quote(named.text)}`,
			"they mean the same: remove one of them",
		);
	reportTimeouts(root.at("verification"), report);
	reportKin(named.present ? named : alias, tasks, chains, report);
	if (named.present || alias.present) return;
	for (const { id, field } of tasks) {
		const flag = field.at("requires_verification");
		if (flag.value === true && !hasChallenger(field, agents))
			report.error(
				flag,
				`task ${quote(id)} requires verification, and nobody can verify it`,
				"name an agent with `verifier`, or give the task a pair: its challenger verifies then",
			);
	}
}

/** Two limits of the same call. */
function reportTimeouts(verification: Field, report: Reporter): void {
	const llm = verification.at("nats").at("llm_timeout");
	if (llm.present && verification.at("timeout").present)
		report.error(
			llm,
			"verification.nats.llm_timeout and verification.timeout limit the same calls",
			"remove one of them",
		);
}

/** A warning for each player whose work would be tested by itself or by one of its family; fallbacks of both count. */
function reportKin(
	verifier: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	const relatives = relativesOf(verifier.text, chains);
	const [head] = relatives;
	if (head === undefined) return;
	const told = new Set<string>();
	for (const { id, field } of tasks) {
		if (field.at("requires_verification").value === false) continue;
		for (const player of playersOf(field)) {
			const kin = told.has(player) ? null : kinOf(relatives, chains.of(player), chains);
			told.add(player);
			if (kin === null) continue;
			report.warning(
				verifier,
				`the verifier ${withFallback(head.name, kin.of)} is of the same family (${kin.family}) as the player ${withFallback(player, kin.agent)} of task ${shownName(id)}`,
				"who builds something writes tests that share its mistakes; name an agent of another family",
			);
		}
	}
}

/** Who can sit as player: in a pair that swaps its seats both. */
function playersOf(task: Field): string[] {
	const { player, coach } = seatFields(task);
	const { value } = task.at("overlays").at("paired_workflow").at("role_switch");
	const swaps = value === "subtask" || value === "checkpoint";
	return [player, ...(swaps ? [coach] : [])].flatMap(({ text }) => text ?? []);
}

const isModel = (agents: Field, name: string): boolean =>
	agents.at(name).at("adapter").value === "model";

function hasChallenger(task: Field, agents: Field): boolean {
	const name = enabledOverlay(task, "paired_workflow")?.at("challenger_agent").text;
	return name !== undefined && !isModel(agents, name);
}
