import { suggestion } from "../../kernel/suggest.ts";
import { REPORT_FORMATS } from "../../words/report/formats.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { usageFault } from "../terminal/option-values.ts";
import { saveReport } from "../terminal/shell.ts";
import { verbCommand } from "../terminal/verb-command.ts";

const FORMATS = Object.keys(REPORT_FORMATS);

function rendererOf(format: string) {
	const render = Object.hasOwn(REPORT_FORMATS, format) ? REPORT_FORMATS[format] : undefined;
	if (render !== undefined) return render;
	throw usageFault(
		`there is no report format ${JSON.stringify(format)}`,
		suggestion(format, FORMATS),
	);
}

export const command = verbCommand<"result", { readonly format: string; readonly output?: string }>(
	"result",
	{
		options: {
			"--format <format>": [`one of: ${FORMATS.join(", ")}`, "markdown"],
			"--output <file>": "write to a file instead of standard output",
			"--json": "print all that the formats are made of as JSON",
		},
		show: (told) => ({ text: REPORT_FORMATS["markdown"]?.(told) ?? "" }),
		act: async ({ shell, flags, sparring, given }, tell) => {
			const { format, output } = flags;
			const render = rendererOf(format);
			if (flags.json === true) return await tell();
			const text = render(await sparring.result(given.runId));
			if (output !== undefined) await saveReport(shell, output, text);
			else shell.out.write(text);
			return EXIT.done;
		},
	},
);
