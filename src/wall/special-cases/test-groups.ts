import type { Group, Literal } from "../language/choice.ts";
import { isCode } from "../reading/test-places.ts";
import { literalsIn } from "./test-literals.ts";

const TOKEN =
	/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`|[\p{L}_$][\p{L}\p{N}_$]*|\d[\d_]*(?:\.\d+)?|[()[\]{};]/gu;

const EXPECTS = /equal|^to[A-Z]|^same|^is$/i;

const KEYWORD = /^(?:if|for|of|in|while|switch|return|yield|await|assert|and|or|not)$/;

/** Most literals of a group: more are data, not arguments. */
const MOST = 12;

interface OpenGroup extends Group {
	readonly values: Literal[];
	readonly isExpected: boolean;
}

/** Literals that stand together in a file of the tests, by brackets; of data also those of a line. */
export function groupsIn(path: string, text: string): Group[] {
	const isTable = !isCode(path) && !path.endsWith(".json");
	const lines = isTable ? text.split("\n").map((line) => literalsIn("a.js", line)) : [];
	return [...bracketsIn(text), ...lines.map((values) => ({ values, isCall: false }))].filter(
		({ values }) => values.length > 1 && values.length <= MOST,
	);
}

function bracketsIn(text: string): Group[] {
	const found: Group[] = [];
	const open: OpenGroup[] = [];
	let word = "";
	for (const [token] of text.matchAll(TOKEN)) {
		const top = open.at(-1);
		if (token === "(")
			open.push({ values: [], isCall: word !== "", isExpected: EXPECTS.test(word) });
		else if (/^[[{]$/.test(token))
			open.push({ values: [], isCall: false, isExpected: top?.isExpected ?? false });
		else if (/^[)\]}]$/.test(token)) found.push(...closed(open));
		else if (token === ";") top?.values.splice(0);
		else if (/^["'`\d]/.test(token)) top?.values.push(...literalsIn("a.js", token).slice(0, 1));
		word = /^[\p{L}_$]/u.test(token) && !KEYWORD.test(token) ? token : "";
	}
	return found;
}

function closed(open: OpenGroup[]): Group[] {
	const group = open.pop();
	if (group === undefined || group.isExpected) return [];
	const outer = open.at(-1);
	if (outer?.isCall === true && !group.isCall) outer.values.push(...group.values);
	return [group];
}
