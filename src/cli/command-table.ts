import { argumentOf } from "../library/verbs/fields.ts";
import { nameOfVerb, VERB_NAMES, VERBS, type VerbName } from "../library/verbs/table.ts";
import type { CliCommand } from "./terminal/command.ts";
import type { LoadCommand, VerbCommand } from "./terminal/verb-command.ts";

export type CommandGroup = "Start" | "Run" | "Look" | "Decide" | "Finish" | "More";

export interface CommandEntry {
	readonly group: CommandGroup;
	readonly usage: string;
	readonly summary: string;
	readonly load: () => Promise<{ readonly command: CliCommand | VerbCommand }>;
}

type Row = readonly [usage: string, summary: string, load: CommandEntry["load"]];

function inGroup(
	group: CommandGroup,
	commands: Readonly<Record<string, Row>>,
): [string, CommandEntry][] {
	return Object.entries(commands).map(([name, [usage, summary, load]]) => [
		name,
		{ group, usage, summary, load },
	]);
}

async function ofVerb(method: VerbName): ReturnType<CommandEntry["load"]> {
	return { command: (await import("./terminal/verb-command.ts")).verbCommand(method) };
}

/** @param load its command, where the terminal has something of its own: colours, a pager, a format; else it is told as JSON */
function verb(method: VerbName, load: CommandEntry["load"] = () => ofVerb(method)): Row {
	const { fields, summary } = VERBS[method];
	return [argumentOf(fields)?.spelt ?? "", summary, load];
}

/** Commands on the first page of the help; the others are behind `spar help --all`. */
export const FIRST_PAGE: ReadonlySet<string> = new Set(
	"check,init,doctor,run,resume,status,logs,trace,diff,questions,answer,land".split(","),
);

const LISTED: ReadonlyMap<string, CommandEntry> = new Map([
	...inGroup("Start", {
		init: ["", "write sparring.yaml for this repository", () => import("./commands/init.ts")],
		doctor: [
			"",
			"check what Sparring needs, and say how to fix it",
			() => import("./commands/doctor.ts"),
		],
		validate: verb("validate", () => import("./commands/validate.ts")),
		plan: verb("planTasks", () => import("./commands/plan.ts")),
		approve: verb("approve", () => import("./commands/approve.ts")),
	}),
	...inGroup("Run", {
		check: verb("check", () => import("./commands/check.ts")),
		run: verb("run", () => import("./commands/run.ts")),
		resume: verb("resume", () => import("./commands/resume.ts")),
		worker: [
			"",
			"take tasks of any run, as one of several machines",
			() => import("./commands/worker.ts"),
		],
		workers: ["", "list the workers of all machines", () => import("./commands/workers.ts")],
		store: [
			"",
			"prepare the database that several machines share",
			() => import("./commands/store.ts"),
		],
		cancel: verb("cancel", () => import("./commands/cancel.ts")),
		verifier: [
			"[file]",
			"verify for runs that ask over NATS, until Ctrl-C",
			() => import("./commands/verifier.ts"),
		],
	}),
	...inGroup("Look", {
		status: verb("status", () => import("./commands/status.ts")),
		runs: verb("runs", () => import("./commands/runs.ts")),
		watch: verb("events", () => import("./commands/watch.ts")),
		ui: ["", "show runs and questions on a page in the browser", () => import("./commands/ui.ts")],
		logs: verb("logs", () => import("./commands/logs.ts")),
		trace: verb("trace", () => import("./commands/trace.ts")),
		diff: verb("diff", () => import("./commands/diff.ts")),
		gate: verb("gate", () => import("./commands/gate.ts")),
		findings: verb("findings", () => import("./commands/findings.ts")),
		calibration: verb("calibration", () => import("./commands/calibration.ts")),
	}),
	...inGroup("Decide", {
		questions: [
			"[id]",
			"list the questions that wait for a person, or show one",
			() => import("./commands/questions.ts"),
		],
		answer: [
			"[id]",
			"answer a question, or all that have one cause",
			() => import("./commands/answer.ts"),
		],
		hil: ["", "questions that wait for a person", () => import("./commands/hil.ts")],
	}),
	...inGroup("Finish", {
		land: verb("land", () => import("./commands/land.ts")),
		report: verb("result", () => import("./commands/report.ts")),
		prune: verb("prune", () => import("./commands/prune.ts")),
	}),
	...inGroup("More", {
		mcp: [
			"",
			"serve these commands to an agent, as tools of MCP",
			async () => ({ command: (await import("./commands/mcp.ts")).mcpCommand(loadCommand) }),
		],
		graph: [
			"",
			"print the state machine of a task as Mermaid",
			() => import("./commands/graph.ts"),
		],
		completion: [
			"<shell>",
			"print the completion script for bash, zsh or fish",
			() => import("./commands/completion.ts"),
		],
	}),
]);

/**
 * Every command in the order of the help. A new one is a verb of the library, or an entry above and a file; and a part of
 * its page in the guide.
 */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
	...LISTED,
	...VERB_NAMES.filter((method) => !LISTED.has(nameOfVerb(method).split(" ")[0] ?? "")).flatMap(
		(method) => inGroup("More", { [nameOfVerb(method)]: verb(method) }),
	),
]);

export const loadCommand: LoadCommand = async (name) => (await COMMANDS.get(name)?.load())?.command;
