import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { enabledOverlay } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import type { TaskField } from "./task-field.ts";

/** Rules about independent verification: that its author exists, can write, and is there where a task needs one. */
export function reportVerification(
	root: Field,
	tasks: readonly TaskField[],
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
				`the verifier ${shown(field.text)} is a model by API, which cannot write tests`,
				"name an agent that works in a checkout, such as one of adapter claude, codex or command",
			);
	}
	if (named.text !== undefined && alias.text !== undefined && named.text !== alias.text)
		report.error(
			alias,
			`verification.agent ${quote(alias.text)} differs from verifier ${quote(named.text)}`,
			"they mean the same: remove one of them",
		);
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

const shown = (name: string): string => quote(name).slice(1, -1);

const isModel = (agents: Field, name: string): boolean =>
	agents.at(name).at("adapter").value === "model";

function hasChallenger(task: Field, agents: Field): boolean {
	const name = enabledOverlay(task, "paired_workflow")?.at("challenger_agent").text;
	return name !== undefined && !isModel(agents, name);
}
