import path from "node:path";
import { pathMatcher } from "../evidence/path-match.ts";

/** What a claim may name. */
interface ClaimedNames {
	/** The path that it begins with; null where it speaks of none. */
	readonly file: string | null;
	/** All that may be meant, in whatever spelling. */
	readonly names: readonly string[];
}

/** What stands around a path: a link, quotes, emphasis, a place in the file, another path. */
const AROUND = /[^\p{L}\p{N}\w./$~-]+|(?<!\w)__(?=\S*__(?!\w))|__(?!\w)/u;

/** A place in a file: `:12:3`, `:10-20`, `#L10-L20`. */
const PLACE = /(?:[:#]L?\d+(?:-L?\d+)?)+$/;

/** Words for no file at all. */
const NO_FILE = /^(?:\.|-|\/|none|nothing|no|n\/a|null)?$/i;

/**
 * Reads a claim about a file.
 *
 * @param root absolute path that may stand before a name
 * @example `[src/a.js](src/a.js#L3)` names `src/a.js` among others; `all of it` names no file
 */
export function namesIn(claim: string, root: string | null): ClaimedNames {
	const text = unquoted(claim);
	const whole = clean(text.replace(PLACE, ""), root);
	const words = text.split(/[\s,]+|:\d+|:(?=\s|$)/).map((word) => clean(word, root));
	const isSentence = /[\s,]/.test(text.trim().replaceAll(/\{[^{}]*\}/g, ""));
	const [first = ""] = isSentence ? words.filter((word) => word !== "") : [whole];
	const isNone = NO_FILE.test(first) || text.includes("[MASKED:") || (isSentence && !isPath(first));
	const inside = text
		.split(AROUND)
		.map((part) => part.replace(/^\/+/, "").replace(/\.+$/, ""))
		.filter(isPath);
	return {
		file: isNone ? null : first,
		names: [whole, ...(isSentence ? words : []), ...inside],
	};
}

/** Without what git, a shell or a link puts in place of a character: `"src/\303\251.ts"`, `my\ notes.md`, `my%20notes.md`. */
function unquoted(text: string): string {
	return text
		.replaceAll(/(?:\\[0-3][0-7]{2})+/g, (octets) =>
			Buffer.from(
				octets
					.slice(1)
					.split("\\")
					.map((octet) => Number.parseInt(octet, 8)),
			).toString(),
		)
		.replaceAll(/\\ |%20/g, " ")
		.replaceAll(/\p{Cf}/gu, "")
		.normalize("NFC");
}

function clean(text: string, root: string | null): string {
	const plain = text
		.trim()
		.replaceAll(/^[`'"]+|[`'",;]+$/g, "")
		.replaceAll("\\", "/");
	const local =
		root !== null && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
	return path.posix.normalize(local).replace(/(?<=.)\/$/, "");
}

/** Whether a text looks like a path: with a slash, or with an ending. */
export function isPath(name: string): boolean {
	return (
		!/\s/.test(name) && /[\p{L}\p{N}_]\/[\p{L}\p{N}_]|[\p{L}\p{N}_)\]}]\.[a-z]\w*$/iu.test(name)
	);
}

/** An ending of a file name. `limiter.test` has none: such names are told without theirs. */
const ENDING = /\.(?!(?:test|spec)$)\w+$/;

/** Whether a name, however it is spelled, means one of the paths: itself, or a folder, module or glob that holds it. */
export function namesOneOf(name: string, paths: readonly string[]): boolean {
	const wanted = name.toLowerCase();
	if (wanted === "." || wanted === "") return false;
	if (/\*|\{.*,.*\}/.test(wanted) && paths.some(pathMatcher([name, `**/${name}`]))) return true;
	const dotted = wanted.includes("/") ? wanted : wanted.replaceAll(".", "/");
	return paths.some((each) => {
		const one = `/${each.normalize("NFC").toLowerCase()}`;
		return (
			`${one}/`.includes(`/${wanted}/`) ||
			`/${wanted}`.endsWith(one) ||
			(!ENDING.test(wanted) && one.includes(`/${wanted}.`)) ||
			one.includes(`/${dotted}.`)
		);
	});
}
