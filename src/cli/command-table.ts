import { nameOfVerb, VERB_NAMES, VERBS, type VerbName } from "../library/verbs/table.ts";
import type { CliCommand } from "./terminal/command.ts";
import { verbDoor } from "./verb-doors.ts";

export type CommandGroup = "Start" | "Run" | "Look" | "Decide" | "Finish" | "More";

export interface CommandEntry {
	readonly group: CommandGroup;
	readonly usage: string;
	readonly summary: string;
	readonly load: () => Promise<{ readonly command: CliCommand }>;
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

const verb = (method: VerbName): Row => {
	const { usage, summary } = VERBS[method];
	return [usage, summary, () => verbDoor(method)];
};

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
		validate: [
			"[file]",
			"load a workflow and report; run nothing",
			() => import("./commands/validate.ts"),
		],
		plan: [
			"<requirements>",
			"let an agent turn requirements into tasks of the workflow",
			() => import("./commands/plan.ts"),
		],
		approve: [
			"[file]",
			"show who verifies which task and why, and change it",
			() => import("./commands/approve.ts"),
		],
	}),
	...inGroup("Run", {
		check: [
			"[rev]",
			"judge work that exists: uncommitted, staged, or a commit",
			() => import("./commands/check.ts"),
		],
		run: ["[file]", "run the tasks of a workflow to their end", () => import("./commands/run.ts")],
		resume: [
			"[run]",
			"continue a run after a stop, a crash or an answer",
			() => import("./commands/resume.ts"),
		],
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
		cancel: verb("cancel"),
		verifier: [
			"[file]",
			"verify for runs that ask over NATS, until Ctrl-C",
			() => import("./commands/verifier.ts"),
		],
	}),
	...inGroup("Look", {
		status: verb("status"),
		runs: verb("runs"),
		watch: ["[run]", "show how a run goes, from any terminal", () => import("./commands/watch.ts")],
		ui: ["", "show runs and questions on a page in the browser", () => import("./commands/ui.ts")],
		logs: [
			"[task]",
			"show what agents and checks of a task print",
			() => import("./commands/logs.ts"),
		],
		trace: verb("trace"),
		diff: verb("diff"),
		gate: verb("gate"),
		findings: verb("findings"),
		calibration: verb("calibration"),
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
		land: [
			"[run]",
			"bring the integration branch into the base branch",
			() => import("./commands/land.ts"),
		],
		report: verb("result"),
		prune: verb("prune"),
	}),
	...inGroup("More", {
		mcp: [
			"",
			"serve these commands to an agent, as tools of MCP",
			() => import("./commands/mcp.ts"),
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
	...VERB_NAMES.filter((method) => !LISTED.has(nameOfVerb(method))).flatMap((method) =>
		inGroup("More", { [nameOfVerb(method)]: verb(method) }),
	),
]);
