import type { AddedLine } from "./added-lines.ts";
import { assertionNames } from "./test-markers.ts";

const ALIAS = /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(\w+)(?:\s*\.\s*\w+)*\s*(?:;|$)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+((?:unittest|_?pytest)[\w.]*)[ \t]+as[ \t]+(\w+)/gm;
const PYTHON_FROM = /^[ \t]*from[ \t]+(?:unittest|_?pytest)[\w.]*[ \t]+import[ \t]+\(?([^)\n]+)/gm;

/**
 * Lines that replace a part of an assertion library or of a test runner under a name that the file gives it.
 *
 * @example `import check from "node:assert"` and then `check.equal = () => {}`
 */
export function libraryPatches(text: string, lines: readonly AddedLine[]): AddedLine[] {
	const names = namesOfLibraries(text);
	if (names.size === 0) return [];
	const part = String.raw`(?:\s*\.\s*\w+|\s*\[[^\]]+\])+\s*=(?![=>])`;
	const name = `(?:${[...names].map((each) => each.replaceAll("$", String.raw`\$`)).join("|")})`;
	const replaces = new RegExp(
		String.raw`(?<![\w$.])${name}${part}|\b(?:setattr|assign|definePropert(?:y|ies)|set)\s*\(\s*${name}\s*[.,]`,
	);
	return lines.filter((line) => replaces.test(line.text));
}

function namesOfLibraries(text: string): ReadonlySet<string> {
	const names = new Set(assertionNames(text));
	for (const [, , name = ""] of text.matchAll(PYTHON_IMPORT)) names.add(name);
	for (const [, list = ""] of text.matchAll(PYTHON_FROM)) {
		for (const each of list.split(",")) {
			const name = /(\w+)\s*$/.exec(each)?.[1];
			if (name !== undefined) names.add(name);
		}
	}
	for (const [, alias = "", root = ""] of text.matchAll(ALIAS))
		if (names.has(root)) names.add(alias);
	return names;
}
