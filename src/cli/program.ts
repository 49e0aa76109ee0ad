import { Command } from "commander";
import { addJudgementCommands } from "./judgement-commands.ts";
import { addPeopleCommands } from "./people-commands.ts";
import { addReaderCommands } from "./reader-commands.ts";
import { addRunCommands } from "./run-commands.ts";
import { addSetupCommands } from "./setup-commands.ts";
import type { Shell } from "./shell.ts";
import { version } from "./version.ts";

/** Told of the exit code that a command ended with. */
type Finish = (code: number) => void;

const EXIT_CODES = `
Exit codes: 0 done, 1 a task failed, 2 wrong usage or invalid file, 3 waiting for a person,
4 cancelled, 70 a bug of Sparring, 130 interrupted (state saved).
Data goes to standard output, talk to standard error.
`;

/**
 * The command line as commander sees it. Actions import their command when it is called, so that
 * `spar --help` loads commander alone.
 *
 * @param finish told once of the exit code, unless the command throws
 */
export function buildProgram(shell: Shell, finish: Finish): Command {
	const program = new Command("spar");
	program
		.description("One agent builds, another tries to show that it is wrong, evidence decides.")
		.version(version())
		.addHelpText("before", "Example: spar init && spar run\n")
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
		.showHelpAfterError("See: spar --help");
	addSetupCommands(program, shell, finish);
	addRunCommands(program, shell, finish);
	addReaderCommands(program, shell, finish);
	addJudgementCommands(program, shell, finish);
	addPeopleCommands(program, shell, finish);
	return program;
}
