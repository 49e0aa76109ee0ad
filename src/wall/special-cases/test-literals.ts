import type { Literal } from "../language/choice.ts";
import { isCode } from "../reading/test-places.ts";

const QUOTED = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\\$]*)`/g;
const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/g;

/** Values that stand in a file of the tests: quoted texts and numbers, of data also lines and cells. */
export function literalsIn(path: string, text: string): Literal[] {
	const quoted = [...text.matchAll(QUOTED)].map(([, one, two, three]) =>
		unescaped(one ?? two ?? three ?? ""),
	);
	const numbers = (text.match(NUMBER) ?? []).map((one) => Number(one.replaceAll("_", "")));
	if (isCode(path)) return [...quoted, ...numbers];
	const lines = text.split(/\r?\n/).map((line) => line.trim());
	return [...quoted, ...numbers, ...lines, ...lines.flatMap((line) => line.split(/\s*[,;\t|]\s*/))];
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
	["n", "\n"],
	["t", "\t"],
]);

function unescaped(text: string): string {
	return text
		.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
			String.fromCodePoint(Number.parseInt(code, 16)),
		)
		.replaceAll(/\\(.)/g, (_, mark: string) => ESCAPES.get(mark) ?? mark);
}
