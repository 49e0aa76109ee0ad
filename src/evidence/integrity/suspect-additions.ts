import { isCode, isTestByName } from "../replay/test-places.ts";
import { type Suspicion, suspicion, suspicionWhat } from "../suspicion.ts";
import { type AddedLine, addedLines } from "./added-lines.ts";
import { ADDITION_RULES, type AdditionRule } from "./addition-rules.ts";
import { shown } from "./path-match.ts";
import type { EvidencePair, TreePair } from "./tree-pair.ts";
import { edited, type Violation } from "./violation.ts";

/** Most changed files that are read. Beyond them, one suspicion says how many were not. */
const MOST_FILES = 2_000;

/** How many lines a suspicion shows, and how much of each. */
const SHOWN = 6;
const LONGEST = 160;

/** Lines on each side that belong to the place of a line: what they say can turn its meaning. */
const AROUND = 3;

/** Lines that can make work look done: those that somebody has to judge, and those that nobody has to. */
export interface Additions {
	readonly violations: readonly Violation[];
	readonly suspicions: readonly Suspicion[];
}

/**
 * Lines that the change adds and that can make work look done: one violation or one suspicion for each kind and file. Lines
 * that moved within a file, or with a file, are not added.
 *
 * @param sides the line between product and tests; undefined: files are judged by their names
 */
export async function suspectAdditions(
	pair: TreePair,
	sides: NonNullable<EvidencePair["replayed"]>["sides"] | undefined,
): Promise<Additions> {
	const present = pair.changes.filter(({ kind }) => kind !== "deleted");
	const gone = pair.changes.filter(({ kind }) => kind === "deleted").slice(0, MOST_FILES);
	const moved = (await Promise.all(gone.map(({ path }) => pair.readBase(path)))).join("\n");
	const isTest = (path: string): boolean =>
		sides === undefined ? isTestByName(path) : sides.tests.has(path) || sides.isTestWhenNew(path);
	const violations: Violation[] = [];
	const suspicions: Suspicion[] = [];
	for (const change of present.slice(0, MOST_FILES)) {
		const head = await pair.readHead(change.path);
		if (head === null || head.includes("\0")) continue;
		const base = change.kind === "added" ? "" : ((await pair.readBase(change.path)) ?? "");
		const isProduct = isCode(change.path) && !isTest(change.path);
		const found = additionsIn(change.path, { base: `${base}\n${moved}`, head, isProduct });
		violations.push(...found.violations);
		suspicions.push(...found.suspicions);
	}
	const rest = present.slice(MOST_FILES);
	if (rest.length > 0) suspicions.push(notRead(rest));
	return { violations, suspicions };
}

interface FileTexts {
	/** With what other files lost. */
	readonly base: string;
	readonly head: string;
	readonly isProduct: boolean;
}

function additionsIn(path: string, { base, head, isProduct }: FileTexts): Additions {
	const added = addedLines(base, head);
	const violations: Violation[] = [];
	const suspicions: Suspicion[] = [];
	for (const rule of ADDITION_RULES) {
		if (!isProduct && rule.where === "product") continue;
		const certain = added.filter((line) => rule.certain?.(line, path) === true);
		const lines = added.filter((line) => rule.fires(line, path));
		if (certain.length > 0) violations.push(certainly(rule, path, certain));
		else if (lines.length > 0) suspicions.push(suspected(rule, path, { lines, head }));
	}
	return { violations, suspicions };
}

function certainly({ kind }: AdditionRule, path: string, lines: readonly AddedLine[]): Violation {
	const [first] = lines;
	const text = shown((first?.text ?? "").slice(0, LONGEST));
	return edited(path, `line ${first?.number ?? 1}: ${suspicionWhat(kind)}: ${text}; remove it`);
}

function suspected(
	{ kind }: AdditionRule,
	file: string,
	{ lines, head }: { readonly lines: readonly AddedLine[]; readonly head: string },
): Suspicion {
	const all = head.split(/\r?\n/);
	const around = lines.flatMap(({ number }) => [
		...all.slice(Math.max(0, number - 1 - AROUND), number + AROUND),
		"",
	]);
	const shown = lines.slice(0, SHOWN).map(({ text }) => `+ ${text.slice(0, LONGEST)}`);
	const more = lines.length - shown.length;
	const text = [...shown, ...(more > 0 ? [`+ ... ${more} more`] : [])].join("\n");
	return suspicion({ kind, file, line: lines[0]?.number ?? null, text }, around);
}

function notRead(changes: TreePair["changes"]): Suspicion {
	const text = `${changes.length} more changed files, of which nobody read the added lines`;
	return suspicion(
		{ kind: "not_read", file: changes[0]?.path ?? "", line: null, text },
		changes.map(({ path, newOid }) => `${path} ${newOid}`),
	);
}
