import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentValues } from "../agents/agent.ts";
import { removeHome } from "../agents/call-home.ts";
import { parsePlannerReport } from "../agents/report.ts";
import { isRunning } from "../drive/leftovers.ts";
import { starterTask, unedited } from "../drive/require-words.ts";
import { baseOf } from "../drive/start-run.ts";
import { withBaseFilters } from "../git/base-filters.ts";
import { openCheckout } from "../git/checkout.ts";
import type { Repository } from "../git/repository.ts";
import { openRepository } from "../git/repository.ts";
import { openVault } from "../git/vault.ts";
import { systemClock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { isFields } from "../kernel/fields.ts";
import { randomId } from "../kernel/ids.ts";
import { sha256 } from "../kernel/json.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { taskLog } from "../loop/records/task-log.ts";
import type { Masker } from "../masking/masking.ts";
import { claimCheckouts } from "../places/checkouts-home.ts";
import type { Places } from "../places/places.ts";
import { gitHost, makeStateDirectory } from "../places/places.ts";
import { maskerOf } from "../places/secrets.ts";
import { endMarked } from "../process/process-tree.ts";
import { requireAgents } from "../seats/agent-needs.ts";
import { seatsOf } from "../seats/agents.ts";
import { openLazyHost, requireSandbox } from "../seats/with-host.ts";
import { removeLeftTemporaries } from "../setups/own-temporary.ts";
import type { EventListener } from "../trace/event.ts";
import { decodeText } from "../workflow/decode-text.ts";
import { addTasks } from "../workflow/edit-text.ts";
import type { LoadedWorkflow } from "../workflow/load.ts";
import { readWorkflowFile } from "../workflow/read-workflow-file.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { parseYaml } from "../workflow/yaml-source.ts";
import { approvalsOf } from "./approvals.ts";
import { planPrompt } from "./plan-prompt.ts";
import { planNoteText, plannedTasks, planProblemText } from "./planned-tasks.ts";
import {
	type Compose,
	type PlannerAnswer,
	PlannerCalls,
	type PlannerGround,
	TASK,
} from "./planner-call.ts";
import type { PlanOptions, PlanReport } from "./planning-reports.ts";
import { openWorkflowText, type WorkflowText } from "./workflow-text.ts";

interface PlanPlace {
	readonly workflow: Workflow;
	readonly places: Places;
	readonly repository: Repository;
	readonly base: string;
	readonly masker: Masker;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	readonly signal: AbortSignal | undefined;
	readonly onNotice: ((text: string) => void) | undefined;
	readonly onEvent: EventListener | undefined;
}

const PLAN = /^plan-(\d+)-[0-9a-z]+$/;

// Leftovers of a killed process of an earlier plan go first, its agents included.
async function onPlannerGround<T>(
	place: PlanPlace,
	work: (ground: PlannerGround) => Promise<T>,
): Promise<T> {
	const { places, repository, workflow, env, values, masker, onNotice, onEvent } = place;
	const signal = place.signal ?? new AbortController().signal;
	await makeStateDirectory(places);
	const transcripts = join(places.stateDir, "transcripts", "plan");
	const plan = `plan-${process.pid}-${randomId(8)}`;
	const dir = await makeDirectory(places, plan, transcripts);
	const log = taskLog({ runId: plan, taskId: TASK }, { turn: 0, node: TASK }, systemClock);
	try {
		const vault = await openVault(repository, dir, { signal, mark: `${plan}:git` });
		const checkout = openCheckout(await withBaseFilters(vault, place.base), {
			dir: join(dir, "planner"),
			indexFile: join(dir, "index-planner"),
		});
		await checkout.forceTo(place.base);
		const opened = openLazyHost({ workflow, env, repository, places, onNotice });
		try {
			const { host } = opened;
			return await work({
				plan,
				checkout: checkout.dir,
				work: join(dir, "calls"),
				transcripts,
				masker,
				env,
				clock: systemClock,
				tell: (type, data) => onEvent?.({ ...log.told(type, data), id: 0, run: plan }),
				signal,
				budget: workflow.budget,
				seat: seatsOf(workflow, { env, host, values }),
			});
		} finally {
			await opened.close();
		}
	} finally {
		const code = await removeHome(dir);
		if (code !== null) onNotice?.(`the planner's checkout ${dir} could not be removed (${code})`);
	}
}

async function makeDirectory(places: Places, plan: string, transcripts: string): Promise<string> {
	try {
		const { directory: home } = await claimCheckouts(places);
		for (const name of await readdir(home)) {
			const pid = PLAN.exec(name)?.[1];
			if (pid === undefined || isRunning(Number(pid))) continue;
			await endMarked(`${name}:`);
			await removeLeftTemporaries(join(home, name));
			await removeHome(join(home, name));
		}
		// Those of an earlier plan would pass for this one's.
		await rm(transcripts, { recursive: true, force: true });
		const dir = join(home, plan);
		await mkdir(dir);
		return dir;
	} catch (error) {
		throw error instanceof Fault ? error : stateFault(places.checkoutsParent, error);
	}
}

type Addition =
	| {
			readonly ok: true;
			readonly text: string;
			readonly loaded: LoadedWorkflow;
			readonly workflow: Workflow;
			readonly ids: ReadonlySet<string>;
			readonly notes: readonly string[];
	  }
	| { readonly ok: false; readonly problem: string };

function defaultsIn(text: string): Readonly<Record<string, unknown>> | null {
	const { value } = parseYaml(text, "");
	if (!isFields(value)) return null;
	const seats = Object.entries(value).filter(([key]) => key === "player" || key === "coach");
	const shared = isFields(value["defaults"]) ? value["defaults"] : {};
	const defaults = { ...Object.fromEntries(seats), ...shared };
	return Object.keys(defaults).length === 0 ? null : defaults;
}

// In place of the starter's if that is named, if the loader takes all of them.
function addPlanned(
	opened: Pick<WorkflowText, "text" | "load">,
	{ known, starter }: { readonly known: ReadonlySet<string>; readonly starter: string | null },
	answer: { readonly report: string | null; readonly reportProblem?: string | undefined },
): Addition {
	const parsed = parsePlannerReport(answer.report, answer.reportProblem);
	if (!parsed.ok) return { ok: false, problem: parsed.reason };
	const flag = defaultsIn(opened.text)?.["requires_verification"];
	const defaultDecides = flag === true || flag === false;
	const { tasks, notes, problems } = plannedTasks(parsed.report, { known, defaultDecides });
	if (problems.length > 0) return { ok: false, problem: problems.map(planProblemText).join("\n") };
	const text = addTasks(opened.text, tasks, starter);
	if (text === null) return { ok: false, problem: UNWRITABLE };
	const loaded = opened.load(text);
	if (loaded.workflow === null) return { ok: false, problem: errorsIn(text, loaded) };
	return {
		ok: true,
		text,
		loaded,
		workflow: loaded.workflow,
		ids: new Set(Object.keys(tasks)),
		notes: notes.map(planNoteText),
	};
}

const UNWRITABLE =
	"the tasks cannot be written into the file: its `tasks` are no mapping of their own, or a text cannot stand in YAML";

const MAX_ERRORS = 20;
const MAX_LINE = 200;

// With the line that each speaks of in place of its position: nobody else has that text.
function errorsIn(text: string, { errors }: LoadedWorkflow): string {
	const lines = text.split("\n");
	const more = errors.length - MAX_ERRORS;
	return [
		...errors.slice(0, MAX_ERRORS).map((error) => {
			// A file may be one long line.
			const from = Math.max(0, error.column - MAX_LINE / 2);
			const shown = (lines[error.line - 1] ?? "").slice(from, from + MAX_LINE).trim();
			return [error.message, error.hint, `> ${shown}`].filter(Boolean).join("\n    ");
		}),
		...(more > 0 ? [`and ${more} more errors`] : []),
	].join("\n");
}

interface PlanningPlace {
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	readonly onLoaded: ((workflow: Workflow) => void) | undefined;
}

interface Planned {
	readonly loaded: LoadedWorkflow;
	readonly report: PlanReport | null;
}

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
