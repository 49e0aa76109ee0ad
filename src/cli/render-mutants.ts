import { oneLine } from "../words/visible-text.ts";

/** Numbers of mutants in words: `14 of 16 mutants of the changed lines detected, 2 survived`. */
export function renderMutants({
	detected,
	undetected,
	pending,
}: {
	readonly detected: number;
	readonly undetected: number;
	readonly pending: number;
}): string {
	const open = pending === 0 ? "" : `, ${pending} not run in time`;
	return `${detected} of ${detected + undetected} mutants of the changed lines detected, ${undetected} survived${open}`;
}

/** A survivor: its place, and the code before and after. */
export function renderSurvivor(survivor: {
	readonly file: string;
	readonly line: number;
	readonly operator: string;
	readonly old: string;
	readonly new: string;
}): string {
	const { file, line, operator, old, new: fresh } = survivor;
	return `survived: ${oneLine(file)}:${line} (${oneLine(operator)}): ${oneLine(old, 200)} -> ${oneLine(fresh, 200)}`;
}
