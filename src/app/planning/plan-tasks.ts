import { resolve } from "node:path";
import type { AgentValues } from "../../agents/agent.ts";
import { openRepository } from "../../git/repository.ts";
import { Fault } from "../../kernel/fault.ts";
import { sha256 } from "../../kernel/json.ts";
import { planPrompt } from "../../planning/plan-prompt.ts";
import { decodeText } from "../../workflow/decode-text.ts";
import { readWorkflowFile } from "../../workflow/read-workflow-file.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { gitHost } from "../git-host.ts";
import type { Places } from "../places.ts";
import { requireAgents } from "../run/agent-needs.ts";
import { starterTask, unedited } from "../run/require-words.ts";
import { baseOf } from "../run/start-run.ts";
import { requireSandbox } from "../run/with-host.ts";
import { maskerOf } from "../secrets.ts";
import type { LoadedWorkflow } from "../sparring.ts";
import { type Addition, addPlanned, defaultsIn } from "./add-planned.ts";
import { approvalsOf } from "./approvals.ts";
import { type Compose, type PlannerAnswer, PlannerCalls } from "./planner-call.ts";
import { onPlannerGround, type PlanPlace } from "./planner-ground.ts";
import type { PlanOptions, PlanReport } from "./planning.ts";
import { openWorkflowText, type WorkflowText } from "./workflow-text.ts";

/** Where a plan is asked for. */
interface PlanningPlace {
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Agents that the calling program serves. */
	readonly values: AgentValues;
	readonly onLoaded: ((workflow: Workflow) => void) | undefined;
}

/** What was planned; `report` is null exactly when the workflow file has errors. */
interface Planned {
	readonly loaded: LoadedWorkflow;
	readonly report: PlanReport | null;
}

/** How often a planner is asked: once more, with what was wrong. */
const ATTEMPTS = 2;

/**
 * Asks the planner for tasks, and adds them to the workflow file. Nothing is written unless all of them are valid.
 *
 * @throws Fault `usage` without requirements or a planner, or when the file was changed meanwhile
 */
export async function planTasks(
	{ document, path, signal, onNotice, onEvent }: PlanOptions,
	{ directory, places, env, values, onLoaded }: PlanningPlace,
): Promise<Planned> {
	const requirements = await requirementsIn(resolve(directory, document), document);
	const file = { root: places.root, directory, valueAgents: Object.keys(values) };
	const opened = await openWorkflowText(path, file, true);
	const loaded = opened.load();
	const { workflow } = loaded;
	if (workflow === null) return { loaded, report: null };
	onLoaded?.(workflow);
	const planner = plannerIn(workflow);
	const repository = await openRepository(directory, gitHost(env));
	await requireAgents(workflow, { env, values }, new Set([planner]));
	await requireSandbox(workflow, env);
	const { baseCommit: base } = await baseOf(workflow, repository);
	const masker = maskerOf(env, workflow);
	const told = { signal, onNotice, onEvent };
	const place = { workflow, places, repository, base, masker, env, values, ...told };
	return await planOn(place, { opened, planner, requirements });
}

/** What a planner is asked for. */
interface Assignment {
	readonly opened: WorkflowText;
	readonly planner: string;
	readonly requirements: string;
}

async function planOn(place: PlanPlace, assignment: Assignment): Promise<Planned> {
	const { opened, planner } = assignment;
	const { workflow } = place;
	const starter = starterTask(opened.text, workflow);
	const tasks = workflow.tasks.filter(({ id }) => id !== starter);
	const known = new Set(tasks.map(({ id }) => id));
	return await onPlannerGround(place, async (ground) => {
		const calls = new PlannerCalls(ground);
		let problem: string | null = null;
		for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
			const answer = await calls.ask(
				planner,
				composer(place, assignment, { tasks, plan: ground.plan, problem }),
			);
			if (answer.kind !== "answered")
				return { loaded: opened.load(), report: { ...unplanned(answer), planner } };
			const added = addPlanned(opened, { known, starter }, answer);
			if (added.ok) return await written(assignment, { ...added, starter }, calls.usage);
			({ problem } = added);
			const call = calls.usage.calls;
			const rejected = { role: "planner", agent: planner, call, reason: problem } as const;
			ground.tell("report-rejected", rejected);
		}
		const reason = `planner ${planner} did not answer with tasks that can be added to ${opened.file}, although it was told why:\n${problem}\n`;
		return { loaded: opened.load(), report: { outcome: "failed", planner, reason } };
	});
}

async function written(
	{ opened, planner }: Assignment,
	added: Addition & { readonly ok: true; readonly starter: string | null },
	usage: PlannerCalls["usage"],
): Promise<Planned> {
	const { text, loaded, ids, starter } = added;
	await opened.replace(text);
	const left = unedited(added.workflow)?.id;
	const report: PlanReport = {
		outcome: "written",
		file: opened.file,
		digest: sha256(text),
		planner,
		tasks: approvalsOf(added.workflow).filter(({ id }) => ids.has(id)),
		notes: [
			...added.notes,
			...(starter === null ? [] : [`the new tasks replace ${starter}, the starter file's task`]),
			...(left === undefined
				? []
				: [`task ${left} still has words of the starter file: edit or remove it`]),
		],
		usage,
	};
	return { loaded, report };
}

function unplanned(answer: Exclude<PlannerAnswer, { kind: "answered" }>) {
	if (answer.kind === "unpaid") return { outcome: "unpaid", reason: answer.why } as const;
	const { agent, failure, message } = answer;
	return { outcome: "failed", reason: `agent ${agent} failed (${failure}): ${message}` } as const;
}

/** Prompt and context of a call: the requirements, the agents, and what the file says already. */
function composer(
	{ workflow, base }: PlanPlace,
	{ opened, requirements }: Assignment,
	{
		tasks,
		plan,
		problem,
	}: Pick<Workflow, "tasks"> & { readonly plan: string; readonly problem: string | null },
): Compose {
	const agents = Object.values(workflow.agents).map(({ name, adapter }) => ({ name, adapter }));
	const defaults = defaultsIn(opened.text);
	const shown = defaults === null ? null : JSON.stringify(defaults);
	return (handsIn) => ({
		prompt: planPrompt({ requirements, agents, tasks, defaults: shown, problem, handsIn }),
		context: {
			role: "planner",
			run: plan,
			turn: 1,
			base,
			commit: base,
			subtask: null,
			task: { id: "plan", description: requirements, acceptance_criteria: [], context_files: [] },
			planning: {
				agents,
				defaults,
				tasks: tasks.map(({ id, description, dependsOn, acceptanceCriteria }) => ({
					id,
					description,
					acceptance_criteria: acceptanceCriteria,
					depends_on: dependsOn,
				})),
				problem,
			},
		},
	});
}

function plannerIn({ planner }: Workflow): string {
	if (planner !== undefined) return planner;
	throw new Fault("the workflow does not say which agent plans", {
		code: "usage",
		hint: "Name one in the workflow file: `planner: NAME`.",
	});
}

async function requirementsIn(path: string, shown: string): Promise<string> {
	const decoded = decodeText(await readDocument(path, shown));
	if ("problem" in decoded) throw unfit(`${shown}: ${decoded.problem}`);
	if (decoded.text.trim() === "") throw unfit(`${shown} is empty`);
	return decoded.text;
}

async function readDocument(path: string, shown: string): Promise<Uint8Array> {
	try {
		return await readWorkflowFile(path);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		throw unfit(`the requirements ${shown} cannot be read`);
	}
}

const unfit = (message: string): Fault =>
	new Fault(message, {
		code: "usage",
		hint: "Give a text file with the requirements: spar plan FILE.md",
	});
