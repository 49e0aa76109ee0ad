import { diagnose } from "../../app/doctor/diagnose.ts";
import type { DoctorLine } from "../../app/doctor/doctor-line.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { type Paint, paintFor } from "../paint.ts";
import { printJson, type Shell } from "../shell.ts";
import { oneLine } from "../visible-text.ts";

function renderDoctorLine(line: DoctorLine, widest: number, paint: Paint): string {
	const mark =
		line.ok === true
			? paint("good", "ok  ")
			: paint(line.ok === "warn" ? "attention" : "bad", line.ok === "warn" ? "warn" : "FAIL");
	const fix = line.fix === null ? "" : `\n${" ".repeat(widest + 8)}${oneLine(line.fix, 1_000)}`;
	return `${mark}  ${line.name.padEnd(widest)}  ${oneLine(line.detail, 1_000)}${fix}`;
}

/** `spar doctor`: one line for each thing that Sparring needs; the lines say what is broken, the exit code is 0. */
async function doctor(shell: Shell, flags: { readonly json?: boolean }): Promise<number> {
	const lines = await diagnose({ directory: shell.directory, env: shell.env });
	if (flags.json === true) {
		printJson(shell, lines);
		return EXIT.done;
	}
	const widest = Math.max(0, ...lines.map(({ name }) => name.length));
	const paint = paintFor(shell.out, shell.env);
	shell.out.write(`${lines.map((line) => renderDoctorLine(line, widest, paint)).join("\n")}\n`);
	return EXIT.done;
}

export const command: CliCommand = {
	example: "spar doctor",
	define: (command, shell, finish) => {
		command.option("--json", "print JSON").action(async (flags: { readonly json?: boolean }) => {
			finish(await doctor(shell, flags));
		});
	},
};
