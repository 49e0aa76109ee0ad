import { diagnose } from "../../app/doctor/diagnose.ts";
import { type DoctorLine, isMissing } from "../../app/doctor/doctor-line.ts";
import { commandOf, type JsonFlag } from "../command.ts";
import { doctorEntry } from "../doctor-entry.ts";
import { EXIT } from "../exit-code.ts";
import { type Paint, paintFor } from "../paint.ts";
import { lineWidth, printJson } from "../shell.ts";

function renderDoctorLine(
	line: DoctorLine,
	paint: Paint,
	{ widest, columns }: { readonly widest: number; readonly columns: number },
): string {
	const doubt = isMissing(line) ? paint("bad", "FAIL") : paint("attention", "warn");
	const mark = line.ok === true ? paint("good", "ok  ") : doubt;
	return doctorEntry(line, mark, { widest, columns });
}

export const command = commandOf<JsonFlag>(
	{
		examples: ["spar doctor", "spar doctor --json", "spar doctor && spar run"],
		page: "troubleshooting",
		options: { "--json": "print JSON" },
	},
	async (shell, flags) => {
		const lines = await diagnose({ directory: shell.directory, env: shell.env });
		if (flags.json === true) {
			printJson(
				shell,
				lines.map(({ name, ok, detail, fix, needed = true }) => ({
					name,
					ok,
					detail,
					fix,
					needed,
				})),
			);
		} else {
			const widest = Math.max(0, ...lines.map(({ name }) => name.length));
			const size = { widest, columns: lineWidth(shell.out) };
			const paint = paintFor(shell.out, shell.env);
			shell.out.print(`${lines.map((line) => renderDoctorLine(line, paint, size)).join("\n")}\n`);
		}
		return lines.some(isMissing) ? EXIT.failed : EXIT.done;
	},
);
