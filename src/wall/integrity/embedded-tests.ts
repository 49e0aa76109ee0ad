import { isTestFile } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { suspicion } from "../suspicion.ts";
import type { Liftable } from "./apparatus-changes.ts";
import { aboutLines } from "./shown-lines.ts";
import { isSubsequence, rewritten } from "./vanished.ts";

/** Examples in docstrings of Python, which doctest runs. */
const DOCSTRING = /(?<!\w)[a-z]*("""|''')[\s\S]*?\1/gi;

/** A formatted text, or one of bytes. */
const NO_DOCSTRING = /^[a-z]*[bft]/i;

/** Documents whose examples doctest runs too, where a runner is told to look at them. */
const DOCUMENT = /\.(?:md|markdown|rst|txt)$/i;

/** The beginning of tests that stand in a file of the product, up to its end. */
const BEGINS = /^[ \t]*(?:if\s*\(\s*import\.meta\.vitest\b|#\[cfg\(test\)\]|#\[cfg\(all\(test\b)/m;

/**
 * Tests of the base that stand in files of the product, or in documents, and are changed or gone. A replay cannot put them back, since the rest
 * of their file is the player's; so somebody is asked.
 *
 * @param isRun tells of a document whether tests are run of it
 * @example an example of a docstring of which the expected value was changed
 */
export async function embeddedTestChanges(
	pair: TreePair,
	isRun: (path: string) => boolean,
): Promise<Liftable[]> {
	const found: Liftable[] = [];
	for (const change of pair.changes) {
		const { path, kind } = change;
		if (kind === "added" || isTestFile(path)) continue;
		if (DOCUMENT.test(path) && !isRun(path)) continue;
		const base = testsIn(path, (await pair.readBase(path)) ?? "");
		if (base.length === 0) continue;
		const head = kind === "deleted" ? "" : ((await pair.readHead(path)) ?? "");
		const one = changedTests(change, base, testsIn(path, head), head);
		if (one !== null) found.push(one);
	}
	return found;
}

/** Tests in a file: the examples of each docstring, those of a document, or what stands behind the product. */
function testsIn(path: string, text: string): readonly string[] {
	const at = BEGINS.exec(text)?.index;
	const docs = path.endsWith(".py")
		? [...text.matchAll(DOCSTRING)]
				.filter(({ 0: part }) => !NO_DOCSTRING.test(part))
				.filter(({ index }) => isFirst(text, index))
				.map(([part]) => part.replace(/^[a-z]*(?:"""|''')|(?:"""|''')$/gi, ""))
		: DOCUMENT.test(path)
			? [text]
			: null;
	if (docs === null) return at === undefined ? [] : [text.slice(at)];
	return docs.map(examplesIn).filter((part) => part !== "");
}

/** Paragraphs with examples or directives of them; sentences around them are none. */
function examplesIn(text: string): string {
	const blocks = text.split(/\n[ \t]*\n/);
	return blocks.filter((block) => />>>|doctest|skip/i.test(block)).join("\n");
}

/** Tells whether what follows is the first statement of its module, class or function. */
function isFirst(text: string, at: number): boolean {
	let end = at;
	while (end > 0) {
		const start = text.lastIndexOf("\n", end - 1);
		const line = text.slice(start + 1, end).trim();
		if (line !== "" && !line.startsWith("#")) return /:\s*(?:#.*)?$/.test(line.slice(-200));
		end = Math.max(0, start);
	}
	return true;
}

/** Sets something that other examples may use. */
const ACTS =
	/[.\]]\s*\w*\s*[-+*/|&]?=(?!=)|\b(?:setattr|delattr|vars|globals|locals|exec|eval|del|update|clear|pop|append|extend|insert|remove|setdefault)\b|__\w+__|\bfor\s+\w+[.[]|doctest|skip/i;

const begins = (part: string, other: string): boolean =>
	`${other}\n`.startsWith(`${part.trimEnd()}\n`);

function changedTests(
	{ path, kind }: FileChange,
	before: readonly string[],
	after: readonly string[],
	head: string,
): Liftable | null {
	const [base, tests] = [before.join("\n"), after.join("\n")];
	const { gone, fresh } = rewritten(base, tests, []);
	// A directive is a comment, and what stands behind the signs of an example is prose without them.
	const isSame = gone.length === 0 && base.split(/\s+/).join(" ") === tests.split(/\s+/).join(" ");
	// Examples behind others or apart from them act on none of them, unless they set what these share.
	const isMore =
		path.endsWith(".py") || DOCUMENT.test(path)
			? isSubsequence(before, after, begins) && !fresh.some(({ text }) => ACTS.test(text))
			: gone.length === 0 && tests.includes(base.trim());
	if (isSame || isMore) return null;
	const { text } = aboutLines(gone, fresh);
	const about = { rule: "embedded_test_changed", file: path, line: null, text } as const;
	const change = kind === "deleted" ? "delete" : "edit";
	return { path, change, suspicion: suspicion(about, [head]) };
}
