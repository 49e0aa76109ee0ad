import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { REPORT_FORMATS } from "../../app/report/formats.ts";
import { Fault } from "../../kernel/fault.ts";
import { suggestion } from "../../workflow/suggest.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";

interface ReportFlags {
	readonly format: string;
	readonly output?: string;
	readonly json?: boolean;
}

const FORMATS = Object.keys(REPORT_FORMATS);

function rendererOf(format: string) {
	const render = Object.hasOwn(REPORT_FORMATS, format) ? REPORT_FORMATS[format] : undefined;
	if (render !== undefined) return render;
	throw new Fault(`there is no report format ${JSON.stringify(format)}`, {
		code: "usage",
		hint: suggestion(format, FORMATS),
	});
}

async function save(shell: Shell, file: string, text: string): Promise<void> {
	try {
		await writeFile(resolve(shell.directory, file), text);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : "unknown reason";
		throw new Fault(`the report cannot be written to ${file}: ${why}`, {
			code: "usage",
			hint: "Name a file that you can write, in a directory that exists.",
			cause,
		});
	}
	shell.err.print(`wrote ${file}\n`);
}

async function report(
	shell: Shell,
	runId: string | undefined,
	flags: ReportFlags,
): Promise<number> {
	const render = rendererOf(flags.format);
	return await withSparring(shell, "read", async (sparring) => {
		const result = await sparring.result(runId);
		if (flags.json === true) printJson(shell, result);
		else if (flags.output === undefined) shell.out.write(render(result));
		else await save(shell, flags.output, render(result));
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: [
		"spar report",
		"spar report --format junit --output sparring.xml",
		"spar report 20261121-230218-3a67 --format html --output report.html",
	],
	page: "ci",
	define: (command, shell, finish) => {
		command
			.argument("[run]", "id of the run (default: the newest)")
			.option("--format <format>", `one of: ${FORMATS.join(", ")}`, "markdown")
			.option("--output <file>", "write to a file instead of standard output")
			.option("--json", "print all that the formats are made of as JSON")
			.action(async (run: string | undefined, flags: ReportFlags) => {
				finish(await report(shell, run, flags));
			});
	},
};
