import { depthOf } from "../reading/added-lines.ts";

const VERSION = String.raw`["']?(?:v?\d[\w.+-]*|[0-9a-f]{40})["']?`;

/** A line that pins a program of others to a version, as in workflows of CI and in lists of hooks. */
const PIN = new RegExp(
	String.raw`^(?<what>\s*(?:-\s+)?(?:uses:\s*[\w./-]+@|rev:\s))\s*${VERSION}\s*(?:#.*)?$`,
);

const RUNTIME = "(?:node|python|go|ruby|java|php|dotnet|rust)-version";

/** A line that says the version of a runtime. */
const SAID = new RegExp(String.raw`^(?<what>\s*${RUNTIME}:)\s*${VERSION}$`);

/** A list of such versions, in one line. */
const LIST = new RegExp(
	String.raw`^(?<what>\s*${RUNTIME}s?:\s*\[)(?<all>\s*${VERSION}(?:\s*,\s*${VERSION})*)\s*\]$`,
);

/** Words of a key below which more is less. */
const LESS = /exclu|ignore|skip|allow|fail|except|\bif\b/i;

/**
 * Tells whether two texts differ, line by line, in nothing but versions: pins of what was there, as a changed lock file has
 * them, the version of a runtime, or one more of them to try.
 */
export function onlyVersions(base: string, head: string): boolean {
	const [old, now] = [base.split(/\r?\n/), head.split(/\r?\n/)];
	return (
		old.length === now.length &&
		old.every(
			(line, at) => line === now[at] || isSuccessor(line, now[at] ?? "", keysAbove(old, at)),
		)
	);
}

function isSuccessor(line: string, now: string, keys: string): boolean {
	const whatIn = (text: string, of: RegExp): string | undefined => of.exec(text)?.groups?.["what"];
	const pin = whatIn(line, PIN);
	if (pin !== undefined) return pin === whatIn(now, PIN);
	if (LESS.test(keys + line)) return false;
	const said = whatIn(line, SAID);
	if (said !== undefined) return said === whatIn(now, SAID);
	const list = whatIn(line, LIST);
	const all = versionsIn(now);
	return (
		list !== undefined &&
		list === whatIn(now, LIST) &&
		versionsIn(line).every((one) => all.includes(one))
	);
}

const versionsIn = (line: string): readonly string[] =>
	LIST.exec(line)?.groups?.["all"]?.match(/[\w.+-]+/g) ?? [];

/** The keys below which a line of YAML stands. */
function keysAbove(lines: readonly string[], at: number): string {
	let depth = depthOf(lines[at] ?? "");
	const found: string[] = [];
	for (const line of lines.slice(0, at).reverse()) {
		const isKey = /:\s*(?:#.*)?$/.test(line) && depthOf(line) <= depth;
		if (line.trim() === "" || !(isKey || depthOf(line) < depth)) continue;
		found.push(line);
		depth = Math.min(depth, depthOf(line));
	}
	return found.join("\n");
}
