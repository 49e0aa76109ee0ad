import { dirname, join, relative, resolve } from "node:path";
import { assertNever } from "../kernel/assert-never.ts";
import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { formatDiagnostic } from "../workflow/diagnostic.ts";
import { type LoadedWorkflow, loadWorkflow } from "../workflow/load.ts";
import { readWorkflowFile } from "../workflow/read-workflow-file.ts";
import type { WorkflowValue } from "../workflow/schema.ts";
import {
	parseTaskFile,
	type TaskSource,
	type TaskWords,
	taskFromWords,
} from "../workflow/task-file.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { WORKFLOW_FILE } from "./places.ts";

export type { LoadedWorkflow } from "../workflow/load.ts";

/** Origin of the tasks. Paths are relative to the caller's directory; without one, `sparring.yaml` at the root. */
export type WorkflowSource =
	| { readonly kind: "file"; readonly path?: string | undefined }
	| { readonly kind: "task-file"; readonly path: string }
	| ({
			readonly kind: "words";
			/** Content of the workflow file, where there is none. */
			readonly starter?: string | undefined;
	  } & TaskWords)
	/** In the shape of the file. Paths in it are relative to the caller's directory; no file is read. */
	| { readonly kind: "value"; readonly value: WorkflowValue };

/** A workflow that `load` gave: it runs as it was read, whatever the file says by now. */
export interface ReadWorkflow {
	readonly kind: "loaded";
	readonly workflow: Workflow;
}

/** Loads a workflow from wherever its tasks come; a task file or words use the rest of the default workflow file. */
export async function loadSource(
	source: WorkflowSource,
	place: {
		readonly root: string;
		readonly directory: string;
		/** Agents that the calling program serves. */
		readonly values?: Readonly<Record<string, unknown>>;
		/** Takes a file without tasks too, which `spar check` does. */
		readonly mayLackTasks?: boolean;
	},
): Promise<LoadedWorkflow> {
	const valueAgents = Object.keys(place.values ?? {});
	if (source.kind === "value") {
		// Positions count its lines as JSON, which is YAML.
		const content = JSON.stringify(source.value, null, 2);
		return loadWorkflow({ content, file: "workflow", directory: place.directory, valueAgents });
	}
	const path =
		source.kind === "file" && source.path !== undefined
			? resolve(place.directory, source.path)
			: join(place.root, WORKFLOW_FILE);
	const onlyTask = await taskSource(source, place.directory);
	const input = {
		content:
			source.kind === "words" && source.starter !== undefined
				? source.starter
				: await readWorkflowFile(path),
		file: relative(place.directory, path) || path,
		directory: dirname(path),
		repositoryRoot: place.root,
		valueAgents,
		mayLackTasks: place.mayLackTasks === true,
	};
	return loadWorkflow(onlyTask === undefined ? input : { ...input, onlyTask });
}

/**
 * The workflow of a source without errors.
 *
 * @throws Fault `workflow-invalid` with the first error at its place, and how many more there are
 */
export function requireWorkflow(
	{ workflow, errors }: LoadedWorkflow,
	source: WorkflowSource,
): Workflow {
	if (workflow !== null) return workflow;
	const [first, ...more] = errors;
	if (first === undefined) throw new Error("a workflow without errors is missing");
	const { hint, ...error } = first;
	const others = more.length === 0 ? "" : ` (and ${counted(more.length, "more error")})`;
	const lists = `${listing(source)} lists all errors`;
	throw new Fault(`${formatDiagnostic(error)}${others}`, {
		code: "workflow-invalid",
		hint: hint === undefined ? lists : `${hint}; ${lists}`,
	});
}

// The command line reads files alone.
function listing(source: WorkflowSource): string {
	if (source.kind !== "file") return "`sparring.validate(source)`";
	return source.path === undefined ? "`spar validate`" : `\`spar validate ${source.path}\``;
}

async function taskSource(
	source: Exclude<WorkflowSource, { kind: "value" }>,
	directory: string,
): Promise<TaskSource | undefined> {
	switch (source.kind) {
		case "file":
			return undefined;
		case "words":
			return taskFromWords(source);
		case "task-file":
			return parseTaskFile(await readWorkflowFile(resolve(directory, source.path)), source.path);
		default:
			return assertNever(source);
	}
}
