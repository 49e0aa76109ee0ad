import { processShell } from "../src/cli/process-shell.ts";
import { buildProgram } from "../src/cli/program.ts";
import { movable, WRITTEN_COLUMNS } from "../src/cli/written-help.ts";

const shell = processShell();

/** The help of `spar` in so many columns, from the command line itself. */
export function helpIn(columns: number): string {
	let printed = "";
	const outlet = {
		isTTY: false,
		columns,
		rows: 24,
		write: (text: string) => {
			printed += text;
		},
		print: () => undefined,
	};
	buildProgram({ ...shell, out: outlet, err: outlet }, () => undefined).outputHelp();
	return printed;
}

/** The help as the package brings it along. */
export const currentHelp = (): string => movable(helpIn(WRITTEN_COLUMNS));
