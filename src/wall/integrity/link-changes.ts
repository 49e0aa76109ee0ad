import path from "node:path";
import { shown, whole } from "../../evidence/path-match.ts";
import type { TreePair } from "./tree-pair.ts";
import { final, type Violation } from "./violation.ts";

const LINK = "120000";
const GITLINK = "160000";

/** Maximum number of links to follow, as in Linux. */
const MAX_STEPS = 40;

/** Links that point outside of the checkout, submodules, and paths that are not in the snapshot. */
export async function linkChanges(pair: TreePair): Promise<Violation[]> {
	const violations = pair.embedded.map((text) => final("", text));
	for (const change of pair.changes) {
		if (change.kind === "deleted") continue;
		if (change.newMode === GITLINK) {
			const text = `${shown(change.path)}: a submodule was added or moved; restore the previous files`;
			violations.push(final(change.path, text));
		}
		if (change.newMode !== LINK) continue;
		const target = (await pair.readHead(change.path)) ?? "";
		if (await leaves(pair, change.path, target)) {
			const text = `${shown(change.path)}: this symbolic link points outside of the checkout (${shown(target)}); remove it`;
			violations.push(final(change.path, text));
		}
	}
	return violations;
}

/**
 * Whether a target cannot be read, is absolute, is outside of the checkout, or is in `.git`, also through other links.
 * `..` after another name (`a/../b`) is refused, since `a` may be a link.
 */
async function leaves(pair: TreePair, link: string, target: string, depth = 0): Promise<boolean> {
	if (target === "" || path.posix.isAbsolute(target) || path.win32.isAbsolute(target)) return true;
	if (depth > MAX_STEPS || climbsAgain(target)) return true;
	const parts = path.posix
		.normalize(path.posix.join(path.posix.dirname(link), target))
		.split("/")
		.filter((part) => part !== "." && part !== "");
	if (parts[0] === ".." || parts.some((part) => part.toLowerCase() === ".git")) return true;
	for (let length = 1; length < parts.length; length += 1) {
		const step = parts.slice(0, length).join("/");
		// Only a link has content and paths below it.
		const through = await pair.readHead(step);
		if (through === null) continue;
		const rest = parts.slice(length).join("/");
		return leaves(pair, step, `${through.replace(/\/+$/, "")}/${rest}`, depth + 1);
	}
	return false;
}

function climbsAgain(target: string): boolean {
	const parts = target.split("/").filter((part) => part !== "." && part !== "");
	return parts.some((part, index) => part === ".." && index > 0 && parts[index - 1] !== "..");
}

/** Keys whose value is a path or a URL. */
const PLACES = new Set(["path", "url"]);

/** One line of a section: a key and optionally a value. */
const ENTRY = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/** `[submodule "name"]` or another section, optionally followed by an entry on the same line. */
const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;

/**
 * A `.gitmodules` that runs a command, points outside of the work tree, or that git cannot read. `git fsck` refuses such
 * a file, and later git commands in the repository would fail.
 */
export async function submoduleChanges(pair: TreePair): Promise<Violation[]> {
	const violations: Violation[] = [];
	for (const change of pair.changes) {
		// Some file systems ignore upper and lower case.
		if (change.path.toLowerCase() !== ".gitmodules" || change.kind === "deleted") continue;
		if (change.newMode === LINK) {
			const text = `${shown(change.path)}: the submodule configuration must be a file, not a link`;
			violations.push(final(change.path, text));
			continue;
		}
		const text = await pair.readHead(change.path);
		const problem = text === null ? "cannot be read" : problemIn(text);
		if (problem !== null) {
			const text = `${whole(change, "the submodule configuration")} (${problem})`;
			violations.push(final(change.path, text));
		}
	}
	return violations;
}

function problemIn(text: string): string | null {
	// A backslash at the end continues the line.
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
	if (climbs(name) || name.startsWith("-"))
		return `the name ${shown(name)} points outside of its directory`;
	const rest = section === null ? line : (section[3] ?? "");
	if (rest === "" || /^[#;]/.test(rest)) return null;
	const entry = ENTRY.exec(rest);
	if (entry === null) return `git cannot read the line ${shown(rest.slice(0, 100))}`;
	return entryProblem((entry[1] ?? "").toLowerCase(), unquoted(entry[2] ?? ""));
}

function entryProblem(key: string, value: string): string | null {
	if (key === "update" && !/^(?:checkout|rebase|merge|none)$/i.test(value)) {
		return value.startsWith("!") ? "update runs a command" : `update: ${shown(value)} is unknown`;
	}
	if (!PLACES.has(key)) return null;
	if (value.startsWith("-")) return `${key} starts with a dash, so git would take it for an option`;
	if (/\p{Cc}/u.test(value)) return `${key} contains a control character`;
	if (key === "url") return /^(?:ext|fd)::/i.test(value) ? "url runs a command" : null;
	return climbs(value) || value.startsWith("/") ? "path points outside of the work tree" : null;
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
