import type { AddedLine } from "../reading/added-lines.ts";
import type { GrownFile } from "../special-cases/find-special-cases.ts";
import { additionsTo } from "./acting-lines.ts";
import type { AdditionRule } from "./addition-rules.ts";

/** A remark about the line of code that it ends. */
const REMARK = /(?<=\S\s+)(?:\/\/|#) (?!.*\b(?:en|dis)able(?!-(?:next-)?line)\b).*$/;
/** The beginning of more than its own line. */
const OPENS = /^@|[:{([,\\]$/;

/** Lines but for those that took the place of another one with the same remark: it was rewritten, and its remark stayed. */
export function withoutKept(
	{ base, text, path }: GrownFile,
	lines: readonly AddedLine[],
	fires: AdditionRule["fires"],
): AddedLine[] {
	const [before, after] = [base.split(/\r?\n/), text.split(/\r?\n/)];
	const [gone, fresh] = [additionsTo(after, before), additionsTo(before, after)];
	/** Each of the lines that are not in the other text, with its place between those that are. */
	const placesIn = (texts: readonly string[], isOwn: readonly boolean[]): Map<number, string> => {
		let [kept, own] = [0, 0];
		return new Map(
			texts.flatMap((line, at) => {
				[kept, own] = isOwn[at] ? [kept, own + 1] : [kept + 1, 0];
				const bare = line.replace(REMARK, "").trim();
				const remark = REMARK.exec(line)?.[0];
				const isAlone = !OPENS.test(bare) && !fires({ number: 1, text: bare }, path);
				return isOwn[at] && isAlone && remark !== undefined
					? [[at + 1, [kept, own, remark].join(" ")] as const]
					: [];
			}),
		);
	};
	const left = new Set(placesIn(before, gone).values());
	const places = placesIn(after, fresh);
	return lines.filter(({ number }) => !left.has(places.get(number) ?? ""));
}
