import { disarmingLines, STANDS_IN } from "../integrity/disarming-lines.ts";
import { declared } from "../integrity/test-changes.ts";
import { rewritten } from "../integrity/vanished.ts";
import type { SourceText } from "../language/language.ts";
import type { Notices } from "./notices.ts";

/** A file of the base's tests that was changed. */
export interface ChangedFile extends SourceText {
	/** Its text in the work; empty where it is gone. */
	readonly head: string;
}

const ASSERTS =
	/^\s*assert\b|\.should\b|\b(?:assert|expect|should|raises|verif|throws|fail|equal|is|check)\w*(?:\.\w+)*\s*\(/i;

/**
 * Tells whether what changed in a file is something that was measured: each line that asserts and went noticed something,
 * and nothing was added that could disarm lines that stay and noticed nothing.
 */
export function isMeasured(file: ChangedFile, { lines, left, measured }: Notices): boolean {
	const { path, text: base, head } = file;
	const linesOf = (places: ReadonlySet<string>): number[] =>
		[...places].flatMap((place) =>
			place.startsWith(`${path}:`) ? Number(place.slice(path.length + 1)) : [],
		);
	const starts = [...linesOf(measured), ...linesOf(left)].sort((a, b) => a - b);
	// A file that declares no cases is measured by those of others.
	if (starts.length === 0 && (left.size > 0 || declared(base, path) > 0)) return false;
	const isLeft = (number: number): boolean =>
		left.has(`${path}:${starts.findLast((start) => start <= number)}`);
	const isBlind = ({ number, text }: { readonly number: number; readonly text: string }): boolean =>
		ASSERTS.test(text) && !lines.has(`${path}:${number}`);
	const { gone, fresh } = rewritten(base, head, []);
	if (gone.some((line) => isBlind(line) || isLeft(line.number))) return false;
	// What is noticed then is noticed of something else than the product.
	if (fresh.some((line) => STANDS_IN.test(line.text))) return false;
	const all = base.split("\n").map((text, at) => ({ number: at + 1, text }));
	return !all.some(isBlind) || disarmingLines(fresh, { path, base, head }).length === 0;
}
