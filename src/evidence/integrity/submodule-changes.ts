import { shown, whole } from "./path-match.ts";
import type { TreePair } from "./tree-pair.ts";

const LINK = "120000";

/** Keys whose values git takes for a path or an address. */
const PLACES = new Set(["path", "url"]);

/** One line of a section: a key, and perhaps a value. */
const ENTRY = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/** `[submodule "name"]`, or another section; what stands behind it on the same line is an entry. */
const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;

/**
 * A `.gitmodules` that starts a command, leads out of the work tree, or that git cannot read: what `git fsck` refuses to
 * take over from elsewhere, and what makes later git commands in the repository fail.
 */
export async function submoduleChanges(pair: TreePair): Promise<string[]> {
	const violations: string[] = [];
	for (const change of pair.changes) {
		// Some file systems tell no difference between upper and lower case.
		if (change.path.toLowerCase() !== ".gitmodules" || change.kind === "deleted") continue;
		if (change.newMode === LINK) {
			violations.push(`${shown(change.path)}: settings of submodules must be a file, not a link`);
			continue;
		}
		const text = await pair.readHead(change.path);
		const problem = text === null ? "cannot be read" : problemIn(text);
		if (problem !== null)
			violations.push(`${whole(change, "settings of submodules")} (${problem})`);
	}
	return violations;
}

function problemIn(text: string): string | null {
	// A line that ends with a backslash goes on in the next one.
	const whole = text.replace(/^\uFEFF/, "").replaceAll(/\\\r?\n/g, "");
	for (const line of whole.split(/\r?\n/)) {
		const problem = lineProblem(line.trim());
		if (problem !== null) return problem;
	}
	return null;
}

function lineProblem(line: string): string | null {
	const section = SECTION.exec(line);
	const name = unquoted(section?.[2] ?? "");
	if (climbs(name) || name.startsWith("-")) return `the name ${shown(name)} leads out of its place`;
	const rest = section === null ? line : (section[3] ?? "");
	if (rest === "" || /^[#;]/.test(rest)) return null;
	const entry = ENTRY.exec(rest);
	if (entry === null) return `git cannot read the line ${shown(rest.slice(0, 100))}`;
	return entryProblem((entry[1] ?? "").toLowerCase(), unquoted(entry[2] ?? ""));
}

function entryProblem(key: string, value: string): string | null {
	if (key === "update" && !/^(?:checkout|rebase|merge|none)$/i.test(value)) {
		return value.startsWith("!") ? "update starts a command" : `update: ${shown(value)} is unknown`;
	}
	if (!PLACES.has(key)) return null;
	if (value.startsWith("-")) return `${key} begins with a dash and would be taken for an option`;
	if (/\p{Cc}/u.test(value)) return `${key} holds a control character`;
	if (key === "url") return /^(?:ext|fd)::/i.test(value) ? "url starts a command" : null;
	return climbs(value) || value.startsWith("/") ? "path leads out of the work tree" : null;
}

const climbs = (path: string): boolean => path.split(/[/\\]/).includes("..");

const ESCAPES: ReadonlyMap<string, string> = new Map([
	["n", "\n"],
	["t", "\t"],
	["b", "\b"],
]);

/** A value as git reads it: quotes and comments removed, escapes resolved. */
function unquoted(value: string): string {
	let result = "";
	let quoted = false;
	for (let at = 0; at < value.length; at += 1) {
		const character = value.charAt(at);
		if (character === '"') quoted = !quoted;
		else if (character === "\\") {
			at += 1;
			const escaped = value.charAt(at);
			result += ESCAPES.get(escaped) ?? escaped;
		} else if (!quoted && /[#;]/.test(character)) break;
		else result += character;
	}
	return quoted ? result : result.trim();
}
