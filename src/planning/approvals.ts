import type { AgentValues } from "../agents/agent.ts";
import { Fault } from "../kernel/fault.ts";
import { sha256 } from "../kernel/json.ts";
import { suggestion } from "../kernel/suggest.ts";
import { systemCode } from "../kernel/system-code.ts";
import { isEnded } from "../kernel/task-state.ts";
import { isUnended } from "../places/find-run.ts";
import type { LoadedWorkflow } from "../places/load-source.ts";
import type { Places } from "../places/places.ts";
import { WORKFLOW_FILE } from "../places/places.ts";
import type { Records } from "../store/records.ts";
import { approvalOf } from "../verification/requirement.ts";
import { setKeys } from "../workflow/edit-text.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import type {
	ApprovalOptions,
	ApprovalReport,
	TaskApproval,
	VerificationFlag,
} from "./planning-reports.ts";
import { openWorkflowText } from "./workflow-text.ts";

function taskApproval(workflow: Workflow, task: TaskDefinition): TaskApproval {
	const { requiresVerification: flag, allow = [] } = task;
	return {
		id: task.id,
		requires_verification: flag === "auto" ? flag : flag === "true",
		...approvalOf(workflow, task),
		allow,
	};
}

export function approvalsOf(workflow: Workflow): TaskApproval[] {
	return workflow.tasks.map((task) => taskApproval(workflow, task));
}

/**
 * Shows who verifies the tasks of a file, and sets flags in it first where a person asks for that.
 *
 * @returns the report is null exactly when the file has errors
 * @throws Fault `task-not-found`, `outdated` where the digest is another one, `usage` where a flag cannot be set in place
 */
export async function approveTasks(
	{ path, all, tasks = new Map(), digest }: ApprovalOptions,
	place: {
		readonly places: Pick<Places, "root">;
		readonly directory: string;
		/** Agents that the calling program serves. */
		readonly values: AgentValues;
		readonly onLoaded: ((workflow: Workflow) => void) | undefined;
		/** The records of the repository's runs; null where nothing was run. */
		readonly records: () => Promise<RunReads | null>;
	},
): Promise<{ readonly loaded: LoadedWorkflow; readonly report: ApprovalReport | null }> {
	const opened = await openWorkflowText(path, {
		root: place.places.root,
		directory: place.directory,
		valueAgents: Object.keys(place.values),
	}).catch((error: unknown) => {
		throw digest !== undefined && isMissing(error)
			? goneSince(path ?? WORKFLOW_FILE, error)
			: error;
	});
	if (digest !== undefined && digest !== sha256(opened.text)) {
		throw new Fault(`${opened.file} was changed since it was shown; nothing was written`, {
			code: "outdated",
			hint: "Look at it again: spar approve",
		});
	}
	const before = opened.load();
	if (before.workflow === null) return { loaded: before, report: null };
	place.onLoaded?.(before.workflow);
	const chosen = choices(before.workflow, { all, tasks });
	const text = edited(opened, chosen);
	const loaded = text === opened.text ? before : opened.load(text);
	// A flag that nobody can honour, such as `true` without a verifier, is an error of the new text: nothing is written.
	if (loaded.workflow === null) return { loaded, report: null };
	if (text !== opened.text) await opened.replace(text);
	const report = {
		file: opened.file,
		digest: sha256(text),
		tasks: approvalsOf(loaded.workflow),
		notes: chosen.size === 0 ? [] : await runNotes(await place.records(), chosen),
	};
	return { loaded, report };
}

type RunReads = Pick<Records, "runs" | "tasks">;

async function runNotes(records: RunReads | null, chosen: Choices): Promise<string[]> {
	const notes: string[] = [];
	for (const { runId, workflow } of ((await records?.runs()) ?? []).filter(isUnended)) {
		const left = (await records?.tasks(runId))?.filter(({ status }) => !isEnded(status)) ?? [];
		const others = workflow.tasks.filter(
			({ id, requiresVerification }) =>
				left.some(({ taskId }) => taskId === id) &&
				chosen.has(id) &&
				String(chosen.get(id)) !== requiresVerification,
		);
		if (others.length === 0) continue;
		const words = others.map(({ id, requiresVerification: flag }) => `${id} (${flag})`).join(", ");
		const way = others.some(({ id }) => chosen.get(id) === false)
			? " If it asks about a verifier that gives no tests, go on without: spar answer ID --take unverified."
			: "";
		notes.push(
			`run ${runId} began before and keeps requires_verification as it was: ${words}.${way}`,
		);
	}
	return notes;
}

function isMissing(error: unknown): error is Fault {
	return error instanceof Fault && systemCode(error.cause) === "ENOENT";
}

function goneSince(path: string, cause: Fault): Fault {
	return new Fault(`${path} was removed since it was shown; nothing was written`, {
		code: "outdated",
		hint: "Put the file back, or name another one.",
		cause,
	});
}

type Choices = ReadonlyMap<string, VerificationFlag>;

function choices({ tasks }: Workflow, { all, tasks: named = new Map() }: ApprovalOptions): Choices {
	const ids = tasks.map(({ id }) => id);
	const unknown = [...named.keys()].find((id) => !ids.includes(id));
	if (unknown !== undefined)
		throw new Fault(`the workflow has no task ${JSON.stringify(unknown)}`, {
			code: "task-not-found",
			hint: suggestion(unknown, ids),
		});
	const everyone =
		all === undefined
			? []
			: tasks.flatMap(({ id, formalReview }) =>
					formalReview === true ? [] : [[id, all] as const],
				);
	return new Map([...everyone, ...named]);
}

function edited({ text, file }: { readonly text: string; readonly file: string }, chosen: Choices) {
	let so = text;
	for (const [id, flag] of chosen) {
		const next = setKeys(so, id, { requires_verification: flag, verification_by: "person" });
		if (next === null)
			throw new Fault(
				`the flag of task ${id} cannot be set in ${file} without a change elsewhere`,
				{
					code: "usage",
					hint: "The task shares its keys by an anchor (&name, *name). Write the flag by hand, or write the task out.",
				},
			);
		so = next;
	}
	return so;
}
