import { diagnose } from "../../ready/doctor/diagnose.ts";
import { type DoctorLine, isMissing } from "../../seats/doctor-line.ts";
import { oneLine } from "../../words/visible-text.ts";
import { commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { paintFor } from "../terminal/paint.ts";
import { lineWidth } from "../terminal/shell.ts";
import { described, hanging } from "../terminal/table.ts";

export function doctorEntry(
	{ name, detail, fix }: Pick<DoctorLine, "name" | "detail" | "fix">,
	mark: string,
	{ widest, columns }: { readonly widest: number; readonly columns: number },
): string {
	const margin = widest + 8;
	const head = `      ${name}`;
	const found = described(head, oneLine(detail, 1_000), margin, columns);
	const marked = `${mark}${found.slice(4)}`;
	if (fix === null) return marked;
	const at = found.startsWith(`${head}\n`) ? 10 : margin;
	return `${marked}\n${" ".repeat(at)}${hanging(oneLine(fix, 1_000), at, columns)}`;
}

export const command = commandOf(
	{
		examples: ["spar doctor", "spar doctor --json", "spar doctor && spar run"],
		page: "troubleshooting",
	},
	async (shell) => {
		const lines = await diagnose({ directory: shell.directory, env: shell.env });
		const widest = Math.max(0, ...lines.map(({ name }) => name.length));
		const size = { widest, columns: lineWidth(shell.out) };
		const paint = paintFor(shell.out, shell.env);
		const entries = lines.map((line) => {
			const doubt = isMissing(line) ? paint("bad", "FAIL") : paint("attention", "warn");
			return doctorEntry(line, line.ok === true ? paint("good", "ok  ") : doubt, size);
		});
		return {
			json: lines.map(({ name, ok, detail, fix, needed = true }) => {
				return { name, ok, detail, fix, needed };
			}),
			text: entries.join("\n"),
			code: lines.some(isMissing) ? EXIT.failed : EXIT.done,
		};
	},
);
