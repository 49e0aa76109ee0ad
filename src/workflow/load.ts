import { isFields, type Path } from "../kernel/fields.ts";
import { buildWorkflow, type WorkflowPlace } from "./build-workflow.ts";
import { decodeText } from "./decode-text.ts";
import { comparePositions, type Diagnostic } from "./diagnostic.ts";
import { draftOf, entriesOf, tasksOf } from "./draft.ts";
import { oneShotForm } from "./one-shot.ts";
import { Reporter } from "./reporter.ts";
import { reportRules } from "./rules.ts";
import { workflowSchema } from "./schema.ts";
import { ADAPTERS_OF_KEY } from "./schema-agents.ts";
import { reportIssues } from "./schema-issues.ts";
import { type LongForm, longForm } from "./short-forms.ts";
import type { TaskSource } from "./task-file.ts";
import type { ValueDefinition, Workflow } from "./workflow.ts";
import { type Locate, parseYaml } from "./yaml-source.ts";

export type { Diagnostic } from "./diagnostic.ts";

/** Content of a workflow file, and what belongs to it. */
export interface LoadInput extends WorkflowPlace {
	/** The file's content; bytes are checked to be UTF-8. */
	readonly content: string | Uint8Array;
	/** A task from outside the file: it replaces `tasks`, which the file may then omit. */
	readonly onlyTask?: TaskSource;
	/** The file is about to get its tasks: that it has none is no error. */
	readonly mayLackTasks?: boolean;
	/** Names of agents that the calling program serves; the file may leave them out. */
	readonly valueAgents?: readonly string[];
}

/** A workflow as loaded; `workflow` is null exactly when there are errors. */
export interface LoadedWorkflow {
	readonly workflow: Workflow | null;
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
}

/**
 * Validates a workflow file and builds the workflow: fills in default values, and merges `defaults` under
 * every task. Reads no file, and never throws because of the file's content.
 *
 * @returns the workflow, or all errors at once in the order of the file
 * @example `loadWorkflow({ content: "", file: "sparring.yaml", directory: "/repo" }).errors[0]?.message`
 * is `"the file is empty"`
 */
export function loadWorkflow(input: LoadInput): LoadedWorkflow {
	const decoded = decodeText(input.content);
	if ("problem" in decoded) {
		const { problem: message, hint, line } = decoded;
		return {
			workflow: null,
			errors: [{ file: input.file, line, column: 1, message, hint }],
			warnings: [],
		};
	}
	const source = parseYaml(decoded.text, input.file);
	const isReadable = source.value !== undefined && (input.onlyTask?.errors.length ?? 0) === 0;
	const long = isFields(source.value) ? wholeFile(source.value, input) : undefined;
	const inSource = locateIn(source.locate, input.onlyTask);
	const locate: Locate = (path, part, within) =>
		inSource(long?.writtenAt(path) ?? path, part, within);
	const report = new Reporter(locate);
	report.add(source.errors, source.warnings);
	report.add(input.onlyTask?.errors ?? [], input.onlyTask?.warnings ?? []);
	const value = long?.value ?? source.value;
	const checked = isReadable ? checkFile(value, input, locate, report) : undefined;
	const { errors, warnings } = report.result();
	const isFaulty = errors.length > 0 || checked === undefined;
	return { workflow: isFaulty ? null : checked(), errors, warnings };
}

function locateIn(file: Locate, onlyTask: TaskSource | undefined): Locate {
	if (onlyTask === undefined) return file;
	return (path, part, within) =>
		path[0] === "tasks" ? onlyTask.locate(path.slice(2), part, within) : file(path, part, within);
}

/** The file as if it named the agents that a program serves, and the one task that it is loaded for. */
function wholeFile(
	file: Readonly<Record<string, unknown>>,
	{ onlyTask, valueAgents = [] }: LoadInput,
): LongForm {
	const served = withStandIns(file, valueAgents);
	if (onlyTask === undefined) return longForm(served);
	const { id, value, shot } = onlyTask;
	if (shot !== undefined && isFields(value)) return oneShotForm(served, { id, value, shot });
	return longForm({ ...served, tasks: Object.fromEntries([[id, value]]) });
}

/** Reports what is wrong. Call the returned function, which builds the workflow, only if nothing was. */
function checkFile(
	value: unknown,
	input: LoadInput,
	locate: Locate,
	report: Reporter,
): (() => Workflow) | undefined {
	if (!isFields(value)) {
		report.error(
			[],
			value === null
				? "the file is empty"
				: "a workflow file must be a mapping with keys such as `version` and `tasks`",
			"run `spar init` to create one",
		);
		return undefined;
	}
	const draft = draftOf(value);
	const tasks = inFileOrder(tasksOf(draft), ({ id }) => ["tasks", id], locate);
	const parsed = workflowSchema.safeParse(value, { reportInput: true });
	if (!parsed.success) reportIssues(parsed.error.issues, report);
	reportRules(draft, tasks, report, input.mayLackTasks);
	return () => {
		const merged = Object.fromEntries(tasks.map(({ id, task }) => [id, task]));
		const names = entriesOf(draft.checks).map(([name]) => name);
		const checks = inFileOrder(names, (name) => ["checks", name], locate);
		const order = { tasks: tasks.map(({ id }) => id), checks };
		// Merging valid mappings key by key gives valid ones, so that this parse only fills in defaults.
		const file = workflowSchema.parse({ ...value, tasks: merged });
		return withValues(buildWorkflow(file, order, input), input.valueAgents ?? []);
	};
}

/** Objects put names that look like numbers first; the file's own order counts. */
function inFileOrder<Each>(
	named: readonly Each[],
	placeOf: (each: Each) => Path,
	locate: Locate,
): Each[] {
	return named
		.map((each) => ({ each, position: locate(placeOf(each), "key") }))
		.sort((a, b) => comparePositions(a.position, b.position))
		.map(({ each }) => each);
}

const REACHED_BY: ReadonlySet<string> = new Set(["adapter", "login", ...ADAPTERS_OF_KEY.keys()]);

/** Stands for an agent that a program serves while the file is checked: nobody starts it. */
const STAND_IN = { adapter: "command", run: ["value"] } as const;

/**
 * A file in which the named agents can be checked like any other; of one that it has, only how it is reached is
 * replaced.
 */
function withStandIns(
	file: Readonly<Record<string, unknown>>,
	names: readonly string[],
): Readonly<Record<string, unknown>> {
	const agents = file["agents"] ?? {};
	// A value that is no mapping is reported as it is.
	if (names.length === 0 || !isFields(agents)) return file;
	const served = names.map((name) => {
		const written = agents[name] ?? {};
		if (!isFields(written)) return [name, written] as const;
		const kept = Object.entries(written).filter(([key]) => !REACHED_BY.has(key));
		return [name, { ...STAND_IN, ...Object.fromEntries(kept) }] as const;
	});
	return { ...file, agents: { ...agents, ...Object.fromEntries(served) } };
}

function withValues(workflow: Workflow, names: readonly string[]): Workflow {
	const served = names.flatMap((name): [string, ValueDefinition][] => {
		const agent = workflow.agents[name];
		// Each has the stand-in's.
		if (agent?.adapter !== "command") return [];
		const { run: _run, ...common } = agent;
		return [[name, { ...common, adapter: "value" }]];
	});
	return { ...workflow, agents: { ...workflow.agents, ...Object.fromEntries(served) } };
}
