import { shown } from "../../evidence/path-match.ts";
import { counted } from "../../kernel/counted.ts";
import { sha256 } from "../../kernel/json.ts";
import { isCode } from "../reading/test-places.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";
import type { Line, Rewritten } from "./vanished.ts";

/** A question about a changed file of the tests, and why the file was changed, where that can be told. */
export interface Caused {
	readonly suspicion: Suspicion;
	readonly cause: string | null;
}

const WORD = /[A-Za-z_$][\w$]*|[^\s\w$]|\d+/g;
const NAME = /^[A-Za-z_$][\w$]*>[A-Za-z_$]/;
/** Most names that one renaming changes. */
const MAX_NAMES = 4;

/**
 * Names that were renamed, where a change of lines does nothing else; null for any other change.
 *
 * @example `"fee>price"` for lines in which each `fee` is a `price` now
 */
export function renamed({ gone, fresh }: Rewritten): string | null {
	const [old, now] = [wordsOf(gone), wordsOf(fresh)];
	const isAligned =
		old.length > 0 &&
		old.length === now.length &&
		old.every((words, at) => words.length === now[at]?.length);
	if (!isAligned) return null;
	const others = now.flat();
	const pairs = new Set(old.flat().map((word, at) => `${word}>${others[at]}`));
	const changed = [...pairs].filter((pair) => !isSame(pair));
	const names = new Set([...pairs].map((pair) => pair.split(">")[0]));
	const isRenaming = names.size === pairs.size && changed.every((pair) => NAME.test(pair));
	return isRenaming && changed.length > 0 && changed.length <= MAX_NAMES
		? changed.sort().join(" ")
		: null;
}

const wordsOf = (lines: readonly Line[]): (readonly string[])[] =>
	lines.map(({ text }) => text.match(WORD) ?? []);

const isSame = (pair: string): boolean =>
	pair.slice(0, (pair.length - 1) / 2) === pair.slice((pair.length + 1) / 2);

const MAX_LINES = 40;

/** One question for all files that were changed for one cause. It shows all of them, or the first and a digest of the rest. */
export function byCause(all: readonly Caused[]): Suspicion[] {
	const groups = Map.groupBy(all, ({ suspicion: { rule }, cause }, at) =>
		cause === null ? at : `${rule} ${cause}`,
	);
	return [...groups.values()].map((group) => joined(group.map((one) => one.suspicion)));
}

const WORKFLOW = /^\.github\/(?:workflows|actions)\//;

/** One question for all workflows of CI that were changed, and each other as it is. */
export function workflowsTogether(all: readonly Suspicion[]): Suspicion[] {
	const causeOf = ({ file }: Suspicion) => (WORKFLOW.test(file) ? "workflows" : null);
	return byCause(all.map((suspicion) => ({ suspicion, cause: causeOf(suspicion) })));
}

function joined(group: readonly Suspicion[]): Suspicion {
	const main = group.find(({ file }) => isCode(file)) ?? (group[0] as Suspicion);
	if (group.length === 1) return main;
	const rest = group.filter((one) => one !== main);
	const parts = rest.map(({ file, text }) => `${shown(file)}:\n${text}`);
	const lines = [main.text, ...parts].join("\n").split("\n");
	const digest = sha256(lines.join("\n")).slice(0, 8);
	const text =
		lines.length <= MAX_LINES
			? lines
			: [
					...lines.slice(0, MAX_LINES),
					`... in ${counted(group.length, "file")} in all (${digest})`,
				];
	const { id: _, kind: __, place: ___, ...about } = main;
	return suspicion(
		{ ...about, text: text.join("\n") },
		group.map(({ place }) => place),
	);
}
