import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { cutTo, MAX_SUBJECT, messageWith, oneLine } from "../git/message.ts";
import type { CallRecord } from "../store/records.ts";
import { splitTitle, taskSubject } from "../workflow/task-subject.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { Ground } from "./context.ts";
import type { TaskReads } from "./node.ts";

type Reads = Pick<TaskReads, "calls" | "evidence" | "gateReport">;

/** What the message is made of. */
type Told = Pick<Ground, "run" | "workflow" | "masker" | "log"> & { readonly read: Reads };

/**
 * The message of a task's commit on the integration branch: what was asked for, who did it and what was found on the
 * turn that merges. Masked.
 *
 * @param task the whole of it as agents are told it, so that its texts are masked already
 */
export async function taskMessage(
	{ run, workflow, masker, read, log }: Told,
	task: TaskDefinition,
): Promise<string> {
	const { turn } = log;
	const trailers = {
		run: run.runId,
		task: task.id,
		turn,
		agents: agentsText(await callsUpTo(read, turn)),
		evidence: evidenceText(await read.evidence(turn), await read.gateReport(turn)),
	};
	const label = task.featureId;
	const told = { ...task, featureId: label === undefined ? undefined : masker.mask(label) };
	const { subject, body } = taskText(masker.mask(workflow.merge.message), told);
	return messageWith(subject, trailers, body);
}

/** Subject and body. A title that does not fit is shortened, and the body has the whole description then. */
export function taskText(
	template: string,
	task: TaskDefinition,
): { readonly subject: string; readonly body: string } {
	const whole = oneLine(taskSubject(template, task));
	const over = Array.from(whole).length - MAX_SUBJECT;
	const cut = (title: string): string => {
		const line = oneLine(title);
		return over <= 0 ? line : cutTo(line, Math.max(1, Array.from(line).length - over));
	};
	const subject = oneLine(taskSubject(template, task, cut));
	const { description } = task;
	const isWhole = over <= 0 && template.includes("{title}");
	const rest = isWhole ? splitTitle(task).rest : description;
	const parts = [task, ...(task.subtasks ?? [])];
	const criteria = parts.flatMap(({ acceptanceCriteria }) => acceptanceCriteria.map(oneLine));
	const list = criteria.map((criterion) => `- ${criterion}`).join("\n");
	return { subject, body: [rest, list].join("\n\n") };
}

/** `dev (player), reviewer (coach)`: who answered, in the order of their first answers. */
export function agentsText(
	calls: readonly Pick<CallRecord, "agent" | "role" | "outcome">[],
): string {
	const roles = new Map<string, Set<string>>();
	for (const { agent, role, outcome } of calls) {
		if (outcome === "answered") roles.set(agent, (roles.get(agent) ?? new Set()).add(role));
	}
	return [...roles].map(([agent, own]) => `${agent} (${[...own].join(", ")})`).join(", ");
}

/** `tests pass, lint absent, gate T0 PASS`: the checks of the turn's own tree, and the gate. */
export function evidenceText(
	evidence: readonly Pick<Evidence, "check" | "status">[],
	gate: Pick<GateReport, "risk_tier" | "verdict"> | null,
): string {
	const found = evidence.map(({ check, status }) => `${check} ${status}`);
	const said = gate === null ? [] : [`gate ${gate.risk_tier} ${gate.verdict}`];
	return [...found, ...said].join(", ") || "none";
}

/** Roles that a commit names: who made what is in it, and who judged it. */
const WORKERS = ["player", "coach", "verifier"] as const;

async function callsUpTo(read: Reads, last: number): Promise<readonly CallRecord[]> {
	const turns = Array.from({ length: last }, (_, index) => index + 1);
	const calls = turns.flatMap((turn) => WORKERS.map((role) => read.calls(turn, role)));
	return (await Promise.all(calls)).flat();
}
