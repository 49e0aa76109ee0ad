import { readFileSync } from "node:fs";
import { Command, Help } from "commander";
import { type CliCommand, withExample } from "./command.ts";
import type { Shell } from "./shell.ts";

/** A line of `spar --help`, and the file that is imported when the command is called. */
type Entry = readonly [
	usage: string,
	summary: string,
	load: () => Promise<{ readonly command: CliCommand }>,
];

/** The commands in the order of the help. */
const COMMANDS: Readonly<Record<string, Entry>> = {
	init: [
		"[options]",
		"write sparring.yaml for this repository",
		() => import("./commands/init.ts"),
	],
	doctor: [
		"[options]",
		"check what Sparring needs, and say how to fix it",
		() => import("./commands/doctor.ts"),
	],
	validate: [
		"[options] [file]",
		"load a workflow and report; run nothing",
		() => import("./commands/validate.ts"),
	],
	plan: [
		"[options] <requirements>",
		"let an agent turn requirements into tasks of the workflow",
		() => import("./commands/plan.ts"),
	],
	approve: [
		"[options] [file]",
		"show who verifies which task and why, and change it",
		() => import("./commands/approve.ts"),
	],
	graph: [
		"[options]",
		"print the state machine of a task as Mermaid",
		() => import("./commands/graph.ts"),
	],
	run: [
		"[options] [file]",
		"run the tasks of a workflow to their end",
		() => import("./commands/run.ts"),
	],
	resume: [
		"[options] [run]",
		"continue a run after a stop, a crash or an answer",
		() => import("./commands/resume.ts"),
	],
	cancel: ["[options] [run]", "stop a run", () => import("./commands/cancel.ts")],
	land: [
		"[options] [run]",
		"bring the integration branch into the base branch",
		() => import("./commands/land.ts"),
	],
	prune: [
		"[options]",
		"remove checkouts and refs of ended runs",
		() => import("./commands/prune.ts"),
	],
	status: ["[options] [run]", "show where a run stands", () => import("./commands/status.ts")],
	runs: ["[options]", "list the runs of this repository", () => import("./commands/runs.ts")],
	watch: [
		"[options] [run]",
		"show how a run goes, from any terminal",
		() => import("./commands/watch.ts"),
	],
	logs: [
		"[options] <task>",
		"show what agents and checks of a task print",
		() => import("./commands/logs.ts"),
	],
	trace: [
		"[options] <task>",
		"show what happened in a task, and why",
		() => import("./commands/trace.ts"),
	],
	report: [
		"[options] [run]",
		"print a run for reviewers and CI",
		() => import("./commands/report.ts"),
	],
	diff: ["[options] <task>", "show what a task changed", () => import("./commands/diff.ts")],
	gate: [
		"[options] <task>",
		"show what the gate said about a task",
		() => import("./commands/gate.ts"),
	],
	findings: [
		"[options] <task>",
		"list a task's findings and their history",
		() => import("./commands/findings.ts"),
	],
	calibration: [
		"[options]",
		"show how often scores turned out right, over all runs",
		() => import("./commands/calibration.ts"),
	],
	hil: ["", "questions that wait for a person", () => import("./commands/hil.ts")],
};

const EXIT_CODES = `
Exit codes: 0 done, 1 a task failed, 2 wrong usage or invalid file, 3 waiting for a person,
4 cancelled, 70 a bug in Sparring, 130 interrupted (state saved).
Data goes to standard output, messages to standard error.
`;

/** The version of this package, such as `"0.1.0"`. */
function version(): string {
	const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
	const content: unknown = JSON.parse(text);
	const found =
		typeof content === "object" && content !== null && "version" in content
			? content.version
			: undefined;
	return typeof found === "string" ? found : "unknown";
}

/**
 * The command line as commander sees it. A command's file is imported when it is called, so that `spar --help` loads
 * commander alone.
 *
 * @param finish told once of the exit code, unless the command throws
 */
export function buildProgram(shell: Shell, finish: (code: number) => void): Command {
	const program = new Command("spar");
	withExample(program, "spar init && spar run")
		.description("One agent builds, another tries to show that it is wrong, evidence decides.")
		.version(version())
		.addHelpText("after", EXIT_CODES)
		.exitOverride()
		.configureOutput({
			writeOut: (text) => {
				shell.out.write(text);
			},
			writeErr: (text) => {
				shell.err.write(text);
			},
			getOutHelpWidth: () => shell.out.columns,
			getErrHelpWidth: () => shell.err.columns,
			getOutHasColors: () => false,
			getErrHasColors: () => false,
		})
		.configureHelp({
			subcommandTerm: (command) => {
				const usage = command.parent === program ? COMMANDS[command.name()]?.[0] : undefined;
				return usage === undefined
					? new Help().subcommandTerm(command)
					: `${command.name()} ${usage}`.trim();
			},
		})
		.hook("preSubcommand", async (_program, command) => {
			const load = COMMANDS[command.name()]?.[2];
			if (load === undefined) return;
			const { example, define } = (await load()).command;
			define(withExample(command, example), shell, finish);
		});
	for (const [name, [, summary]] of Object.entries(COMMANDS)) {
		program.command(name).description(summary);
	}
	program
		.helpCommand(false)
		.command("help [command...]")
		.description("display help for command")
		.action(async (words: readonly string[]) => {
			await program.parseAsync([...words, "--help"], { from: "user" });
		});
	return program;
}
