import { parsePlannerReport } from "../../agents/planner-report.ts";
import { planNoteText, plannedTasks, planProblemText } from "../../planning/planned-tasks.ts";
import { addTasks } from "../../workflow/edit-text.ts";
import { isMapping } from "../../workflow/field.ts";
import type { LoadResult } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { parseYaml } from "../../workflow/yaml-source.ts";
import type { WorkflowText } from "./workflow-text.ts";

/** A planner's tasks in the text of the file, or why they cannot be. */
export type Addition =
	| {
			readonly ok: true;
			readonly text: string;
			readonly loaded: LoadResult;
			readonly workflow: Workflow;
			/** The tasks that were added. */
			readonly ids: ReadonlySet<string>;
			/** One sentence each, for people. */
			readonly notes: readonly string[];
	  }
	| { readonly ok: false; readonly problem: string };

/** `defaults` of a workflow file as written; null without. */
export function defaultsIn(text: string): Readonly<Record<string, unknown>> | null {
	const { value } = parseYaml(text, "");
	const defaults = isMapping(value) ? value["defaults"] : null;
	return isMapping(defaults) ? defaults : null;
}

/**
 * Adds the tasks of a report to a text, in place of the starter's if that is named, if the loader takes all of them. Writes
 * nothing.
 */
export function addPlanned(
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

/** Most errors that a planner is told of, and most of a line that each shows, in UTF-16 code units. */
const MAX_ERRORS = 20;
const MAX_LINE = 200;

/** The loader's errors, each with the line that it speaks of in place of its position: nobody else has that text. */
function errorsIn(text: string, { errors }: LoadResult): string {
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
