import { oneLine } from "../../kernel/visible-text.ts";
import { diagnose } from "../../ready/doctor/diagnose.ts";
import { type DoctorLine, isMissing } from "../../seats/doctor-line.ts";
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

export const command = commandOf<{ readonly all?: boolean }>(
	{
		examples: ["spar doctor", "spar doctor --all", "spar doctor && spar run"],
		page: "troubleshooting",
		options: { "--all": "name what is in order too" },
	},
	async (shell, flags) => {
		const lines = await diagnose({ directory: shell.directory, env: shell.env });
		const shown = flags.all === true ? lines : lines.filter(({ ok }) => ok !== true);
		const good = lines.length - shown.length;
		const widest = Math.max(0, ...shown.map(({ name }) => name.length));
		const size = { widest, columns: lineWidth(shell.out) };
		const paint = paintFor(shell.out, shell.env);
		const entries = shown.map((line) => {
			const doubt = isMissing(line) ? paint("bad", "FAIL") : paint("attention", "warn");
			return doctorEntry(line, line.ok === true ? paint("good", "ok  ") : doubt, size);
		});
		return {
			json: lines.map(({ name, ok, detail, fix, needed = true }) => {
				return { name, ok, detail, fix, needed };
			}),
			text: [...entries, ...(good > 0 ? [`${good} ok (spar doctor --all names them)`] : [])].join(
				"\n",
			),
			code: lines.some(isMissing) ? EXIT.failed : EXIT.done,
		};
	},
);
