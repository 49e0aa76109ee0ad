import type { DoctorLine } from "../app/doctor/doctor-line.ts";
import { oneLine } from "../words/visible-text.ts";
import { described, hanging } from "./table.ts";

/**
 * One thing that the doctor looked at: its mark, its name and what was found, and below how to fix it.
 *
 * @param mark a word of four characters, perhaps with a colour
 * @param widest characters of the longest name
 */
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
