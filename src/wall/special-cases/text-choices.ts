import type { AddedLine } from "../integrity/added-lines.ts";
import type { Choice } from "./choice.ts";

const COMPARES = /[!=]=|\s=\s|-eq\b|-ne\b|\bcase\b|\bwhen\b|=>|^[^()]*\)\s/;
const QUOTED = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g;
const NUMBER = /(?<![\w.$])-?\d[\d_]*(?:\.\d+)?(?![\w.])/g;

/** Where the lines of a text tell values from others, as far as their form shows; for languages without a syntax tree. */
export function textChoices(lines: readonly AddedLine[]): Choice[] {
	return lines
		.filter(({ text }) => COMPARES.test(text))
		.flatMap(({ number: line, text }) => {
			const quoted = [...text.matchAll(QUOTED)].map(([, one, other]) => one ?? other ?? "");
			const numbers = text.replaceAll(QUOTED, "").match(NUMBER) ?? [];
			return [...quoted, ...numbers.map(Number)].map((value): Choice => {
				return { line, values: [value], result: null, form: "comparison" };
			});
		});
}
