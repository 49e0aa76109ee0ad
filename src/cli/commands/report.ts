import { suggestion } from "../../kernel/suggest.ts";
import { REPORT_FORMATS } from "../../words/report/formats.ts";
import { commandOf, RUN } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { usageFault } from "../terminal/option-values.ts";
import { printJson, saveReport, withSparring } from "../terminal/shell.ts";

const FORMATS = Object.keys(REPORT_FORMATS);

function rendererOf(format: string) {
	const render = Object.hasOwn(REPORT_FORMATS, format) ? REPORT_FORMATS[format] : undefined;
	if (render !== undefined) return render;
	throw usageFault(
		`there is no report format ${JSON.stringify(format)}`,
		suggestion(format, FORMATS),
	);
}

export const command = commandOf<{ readonly format: string; readonly output?: string }>(
	{
		examples: [
			"spar report",
			"spar report --format junit --output sparring.xml",
			"spar report 20261121-230218-3a67 --format html --output report.html",
		],
		page: "ci",
		argument: RUN,
		options: {
			"--format <format>": [`one of: ${FORMATS.join(", ")}`, "markdown"],
			"--output <file>": "write to a file instead of standard output",
			"--json": "print all that the formats are made of as JSON",
		},
	},
	async (shell, flags, runId) => {
		const render = rendererOf(flags.format);
		return await withSparring(shell, "read", async (sparring) => {
			const result = await sparring.result(runId);
			if (flags.json === true) printJson(shell, result);
			else if (flags.output === undefined) shell.out.write(render(result));
			else await saveReport(shell, flags.output, render(result));
			return EXIT.done;
		});
	},
);
