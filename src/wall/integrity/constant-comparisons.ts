import type { AddedLine } from "./added-lines.ts";

/** Comparisons and conversions that answer the same whatever they are asked, and that assertions ask. */
const CONSTANT: readonly RegExp[] = [
	/\bdef\s+__(?:eq|ne|lt|le|gt|ge|contains|instancecheck)__\s*\([^)\n]*\)[^:\n]*:(?:\s*#[^\n]*)?\s*(?:"""[^"]*"""\s*)?return\s+(?:True|False)\b/g,
	/\b__(?:eq|ne|lt|le|gt|ge|contains)__\s*=\s*lambda\b[^:\n]*:\s*(?:True|False)\b/g,
	/(?:\b(?:asymmetricMatch|equals|isEqual|compareTo)|\[\s*Symbol\.(?:hasInstance|toPrimitive)\s*\])\s*(?:=\s*)?\([^)\n]*\)[^{;\n]*(?:\{\s*return\s+|=>\s*)(?:true|false|0)\b/g,
];

/** Most places of a kind that are looked at; nobody needs more. */
const MOST = 100;

/** The added lines of a text that make values equal to any other. */
export function constantComparisons(text: string, added: readonly AddedLine[]): AddedLine[] {
	const found = CONSTANT.flatMap((pattern) =>
		[...text.matchAll(pattern)].slice(0, MOST).map(({ index, 0: match }) => {
			const first = lineNumber(text, index);
			return { first, last: lineNumber(text, index + match.length) };
		}),
	);
	return added.filter(({ number }) =>
		found.some(({ first, last }) => first <= number && number <= last),
	);
}

function lineNumber(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}
