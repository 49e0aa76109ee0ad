import path from "node:path";
import type { FileChange } from "../../git/file-change.ts";
import { isTestByName } from "./test-places.ts";

/** A module at the place of one that moved, which only leads to where it is now. */
export interface Forwarding {
	readonly path: string;
	readonly text: string;
}

/** Share of a module's lines that stand again in the new ones. */
const ENOUGH = 0.5;
/** Share of a module's lines in one new file that makes it a part of the module. */
const PART = 0.2;
const MOVABLE = /\.(?:[cm]?[jt]s|py)$/;

/**
 * Modules that the player moved, renamed or split, as files at their old places that lead to the new ones: the base's
 * tests import them from there.
 *
 * @example `src/a.js` moved to `lib/a.js` gives `src/a.js` with `export * from "../lib/a.js";`
 */
export async function forwardings(
	changes: readonly FileChange[],
	{
		readBase,
		readHead,
	}: {
		readonly readBase: (file: string) => Promise<string | null>;
		readonly readHead: (file: string) => Promise<string | null>;
	},
): Promise<Forwarding[]> {
	const isModule = ({ path: file }: FileChange): boolean =>
		MOVABLE.test(file) && !isTestByName(file);
	const gone = changes.filter((change) => change.kind === "deleted" && isModule(change));
	if (gone.length === 0) return [];
	const added = await Promise.all(
		changes
			.filter((change) => change.kind === "added" && isModule(change))
			.map(async ({ path: file }) => ({ file, text: (await readHead(file)) ?? "" })),
	);
	const found: Forwarding[] = [];
	for (const { path: file } of gone) {
		const lines = new Set(linesOf((await readBase(file)) ?? ""));
		const ending = path.posix.extname(file);
		const parts = added
			.filter((one) => path.posix.extname(one.file) === ending)
			.map((one) => ({ ...one, kept: linesOf(one.text).filter((line) => lines.has(line)).length }))
			.filter(({ kept }) => kept > 0 && kept >= PART * lines.size);
		const kept = parts.reduce((sum, part) => sum + part.kept, 0);
		if (kept >= ENOUGH * lines.size) found.push({ path: file, text: leadTo(file, parts) });
	}
	return found;
}

function linesOf(text: string): string[] {
	return text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
}

interface Part {
	readonly file: string;
	readonly text: string;
}

function leadTo(from: string, parts: readonly Part[]): string {
	if (from.endsWith(".py")) return parts.map(({ file }) => pythonLead(file)).join("");
	return parts.map((part) => scriptLead(from, part)).join("");
}

function pythonLead(file: string): string {
	const name = file
		.replace(/^src\//, "")
		.replace(/(?:\/__init__)?\.py$/, "")
		.replaceAll("/", ".");
	return `import importlib as _i\nglobals().update(vars(_i.import_module("${name}")))\n`;
}

function scriptLead(from: string, { file, text }: Part): string {
	const relative = path.posix.relative(path.posix.dirname(from), file);
	const target = JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
	const isModule = /^[ \t]*(?:import|export)\b/m.test(text);
	if (!isModule) return `module.exports = Object.assign(module.exports, require(${target}));\n`;
	const all = `export * from ${target};\n`;
	return /\bexport\s+default\b|\bas\s+default\b/.test(text)
		? `${all}export { default } from ${target};\n`
		: all;
}
