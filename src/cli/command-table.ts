import { argumentOf } from "../library/verbs/fields.ts";
import { nameOfVerb, VERB_NAMES, VERBS, type VerbName } from "../library/verbs/table.ts";
import type { CliCommand } from "./terminal/command.ts";

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

function verb(method: VerbName): Row {
	const { fields, summary } = VERBS[method];
	const load = async () => (await import("./verb-doors.ts")).verbDoor(method);
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
		validate: verb("validate"),
		plan: verb("planTasks"),
		approve: verb("approve"),
	}),
	...inGroup("Run", {
		check: verb("check"),
		run: verb("run"),
		resume: verb("resume"),
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
		watch: verb("events"),
		ui: ["", "show runs and questions on a page in the browser", () => import("./commands/ui.ts")],
		logs: verb("logs"),
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
		land: verb("land"),
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
	...VERB_NAMES.filter((method) => !LISTED.has(nameOfVerb(method).split(" ")[0] ?? "")).flatMap(
		(method) => inGroup("More", { [nameOfVerb(method)]: verb(method) }),
	),
]);
