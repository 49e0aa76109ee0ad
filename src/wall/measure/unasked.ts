import { counted } from "../../kernel/counted.ts";
import { linesIn } from "../../syntax/module-syntax.ts";
import { rewritten } from "../integrity/vanished.ts";
import type { SourceText, TreeReader } from "../language/language.ts";
import { languageOf } from "../language/languages.ts";
import type { TextRange } from "../language/splice.ts";
import { type Notices, noticedIn } from "./notices.ts";

/** A changed file of the product, with its text on the base. */
export interface ChangedProduct extends SourceText {
	readonly base: string;
}

const MAX_SHOWN = 6;
/** Can be had from another file: by an export, or, in Python, by any name without an underscore. */
const GIVEN = /^\s*(?:export\b|(?:async\s+)?def\s+[a-zA-Z]|class\s+[a-zA-Z])/;
/** Has a body that a call runs; a constant has none. */
const CALLED = /=>|\bfunction\b|\bclass\b|\bdef\b/;

/**
 * One line about changed and new functions whose answers no measured test notices; empty where there is none.
 *
 * @example `["2 of 5 changed functions: no test that was measured notices what they give (sign, expire)"]`
 */
export async function unaskedNotes(
	files: readonly ChangedProduct[],
	notices: Notices,
	trees: TreeReader,
): Promise<string[]> {
	const read = await trees(files);
	const changed = new Set(
		files.flatMap((file, at) => {
			const [tree, language] = [read[at] ?? null, languageOf(file.path)];
			if (tree === null || language === null) return [];
			const fresh = new Set(rewritten(file.base, file.text, []).fresh.map(({ number }) => number));
			const lineAt = linesIn(file.text);
			const isChanged = ([start, end]: TextRange): boolean => {
				const last = lineAt(end);
				for (let line = lineAt(start); line <= last; line += 1) if (fresh.has(line)) return true;
				return false;
			};
			const isGiven = ([start, end]: TextRange): boolean => {
				const text = file.text.slice(file.text.lastIndexOf("\n", start - 1) + 1, end);
				return GIVEN.test(text) && CALLED.test(text);
			};
			return language
				.testsIn(tree, file.text)
				.filter(({ kind, span }) => kind !== "hook" && isGiven(span) && isChanged(span))
				.map(({ name }) => name);
		}),
	);
	const noticed = new Set(
		noticedIn(notices).flatMap((what) => (/^(?:new )?([^(]*)/.exec(what)?.[1] ?? "").split(".")),
	);
	const unasked = [...changed].filter((name) => !noticed.has(name));
	if (unasked.length === 0) return [];
	const more = unasked.length - MAX_SHOWN;
	const names = [...unasked.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
	return [
		`${unasked.length} of ${counted(changed.size, "changed function")}: no test that was measured notices what they give (${names})`,
	];
}
