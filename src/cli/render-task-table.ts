import type { TaskReport } from "../app/sparring.ts";
import type { TaskStatus } from "../kernel/task-state.ts";
import { taskStanding } from "../words/standing.ts";
import { flagWords, PHASE_WORDS } from "../words/states.ts";
import { oneLine } from "../words/visible-text.ts";
import type { Paint, Tone } from "./paint.ts";
import { renderCost } from "./render-usage.ts";
import { fewerColumns, tableRows } from "./table.ts";

const TONES: Readonly<Record<TaskStatus, Tone>> = {
	pending: "quiet",
	running: "strong",
	needs_rework: "attention",
	paused_for_human: "attention",
	completed: "good",
	failed: "bad",
	blocked: "bad",
	cancelled: "bad",
};

const COLUMNS: Readonly<Record<string, (task: TaskReport, id: string) => string>> = {
	task: (_task, id) => id,
	feature: (task) => oneLine(task.feature_id ?? ""),
	status: (task) => taskStanding(task).word,
	phase: (task) => (task.status === "running" ? PHASE_WORDS[task.phase] : ""),
	turns: (task) => String(task.turns),
	"open findings": (task) => String(task.open_findings),
	verification: ({ verification_result: result }) =>
		result?.required === true ? result.verdict : "",
	gate: ({ gate }) => (gate === null ? "-" : `${gate.risk_tier} ${gate.verdict}`),
	merge: (task) => (task.merged ? "merged" : "-"),
	branch: (task) => task.branch,
	cost: (task) => renderCost(task.usage),
	flags: (task) => task.flags.map(flagWords).join(", "),
};

/** Columns that a table does without before it becomes a list; a branch is named after run and task, and
 * `spar findings` and `spar gate` tell more than a number. */
const FIRST_TO_GO: readonly string[] = ["branch", "feature", "open findings", "gate"];

/** The tasks of a run, a line each below the names of the columns; columns in which no task has anything to say are left out. */
export function taskTable(
	tasks: readonly (readonly [id: string, task: TaskReport])[],
	paint: Paint,
	columns: number,
): string[] {
	if (tasks.length === 0) return [];
	const told = Object.entries(COLUMNS)
		.map(([name, cell]) => [name, ...tasks.map(([id, task]) => cell(task, id))])
		.filter(([, ...cells]) => cells.some((cell) => cell !== ""));
	const rows = ["", ...tasks].map((_row, index) => told.map((column) => column[index] ?? ""));
	const [heading = "", ...lines] = tableRows(fewerColumns(rows, FIRST_TO_GO, columns), columns);
	const painted = tasks.map(([, { status }], index) => paint(TONES[status], lines[index] ?? ""));
	return [...(heading === "" ? [] : [paint("quiet", heading)]), ...painted];
}
