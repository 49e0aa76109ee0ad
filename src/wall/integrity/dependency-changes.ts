import path from "node:path";
import { SAMPLES } from "../../evidence/path-match.ts";
import { type Fields, isFields } from "../../kernel/fields.ts";
import { isManifest } from "../../setups/setup-key.ts";
import { addedLines } from "../reading/added-lines.ts";
import { parsePackage } from "../reading/runner-config.ts";
import { isCode } from "../reading/test-places.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { allowanceFor } from "../reading/violation.ts";
import { suspicion } from "../suspicion.ts";
import type { Liftable } from "./apparatus-changes.ts";
import { isSecretName, UNSHOWN } from "./secret-files.ts";
import { shownLines } from "./shown-lines.ts";
import { type Line, rewritten } from "./vanished.ts";

const LOCK = /lock|\.sum$|shrinkwrap|\.resolved$/i;

/** A digest, or an address with what it names. */
const SEAL =
	/\b(?:sha\d+|md5|h1)[-:][\w+/=]+|\b[0-9a-f]{32,128}\b|"[\w+/]{43,88}={0,2}"|\b[a-z+]+:\/\/[^\s"',})]+/gi;

/** The place from which a package comes: a host, or a kind of place that is no registry. */
const PLACE =
	/\b(?:[a-z]+\+)?[a-z]+:\/\/[^/\s"']+|\b(?:file|link|portal|patch|workspace|npm|github|gitlab|bitbucket|gist):(?=[^\s/])|"(?:[\w.-]+|\.{0,2})\/[\w./-]+(?:#[^"]*)?"(?=,?$)/gi;

/** Lines that describe a project, whose addresses nobody installs from. */
const DESCRIBES =
	/^"?(?:homepage|repository|bugs|funding|author|url|documentation|changelog|issues|source|license)"?\s*[:=]/i;

/** Programs that checks commonly run through. */
const PROGRAMS: ReadonlySet<string> = new Set("node npm npx sh bash env python".split(" "));

/**
 * Dependencies that are no longer what they were: from another place, with another content for the same version, locked again
 * although no manifest changed; programs of the repository's own packages under a name that a command runs; and code that an
 * installation runs. New dependencies and other versions are none.
 *
 * @param words of all commands
 */
export async function dependencyChanges(
	pair: TreePair,
	words: ReadonlySet<string>,
): Promise<Liftable[]> {
	const found: Liftable[] = [];
	const declares = pair.changes.some(({ path: file }) => isManifest(file) && !isLock(file));
	for (const change of pair.changes) {
		const { path: file, kind } = change;
		if (kind === "deleted" || !isManifest(file) || SAMPLES.test(file)) continue;
		const head = (await pair.readHead(file)) ?? "";
		const base = kind === "added" ? "" : ((await pair.readBase(file)) ?? "");
		const lines = replacedLines({ file, base, head, isNew: kind === "added" }, declares, words);
		if (lines.length === 0) continue;
		const text = isSecretName(file) ? UNSHOWN : shownLines("+", lines).join("\n");
		const line = lines[0]?.number ?? null;
		const about = { rule: "dependency_replaced", file, line, text } as const;
		found.push({
			path: file,
			change: allowanceFor(change),
			suspicion: suspicion(about, [head]),
		});
	}
	return found;
}

interface ManifestTexts {
	readonly file: string;
	readonly base: string;
	readonly head: string;
	readonly isNew: boolean;
}

function replacedLines(
	{ file, base, head, isNew }: ManifestTexts,
	declares: boolean,
	words: ReadonlySet<string>,
): readonly Line[] {
	const { gone, fresh } = rewritten(base, head, []);
	if (!isLock(file)) {
		if (isCode(file)) return addedLines(base, head);
		const named = declaredLines(file, head, fresh).filter(({ text }) => !DESCRIBES.test(text));
		return [...fromElsewhere(declared(file, base), named), ...impostors(file, base, head, words)];
	}
	if (isNew) return [];
	const whole = declares ? [] : [...gone, ...fresh];
	return [...whole, ...resealed(base, head), ...fromElsewhere(base, fresh)];
}

function isLock(file: string): boolean {
	return LOCK.test(path.posix.basename(file));
}

/** Lines whose digest or address differs although the entry is of the same name and version. */
function resealed(base: string, head: string): Line[] {
	const had = new Map<string, Set<string>>();
	for (const { key, seals } of sealsIn(base)) {
		const known = had.get(key) ?? new Set();
		for (const seal of seals) known.add(seal);
		had.set(key, known);
	}
	return sealsIn(head)
		.filter(({ key, seals }) => {
			const known = had.get(key);
			return known !== undefined && seals.some((seal) => !known.has(seal));
		})
		.map(({ line }) => line);
}

interface Sealed {
	readonly key: string;
	readonly seals: readonly string[];
	readonly line: Line;
}

/** Lines with a digest or an address, each with the entry and the version that it stands under. */
function sealsIn(text: string): Sealed[] {
	let [entry, version] = ["", ""];
	return text.split(/\r?\n/).flatMap((line, at): Sealed[] => {
		const bare = line.trim();
		const plain = bare.replaceAll(SEAL, "");
		if (bare === "" || /[{:]$/.test(bare)) [entry, version] = [plain, ""];
		else if (/^"?name"?\b/.test(bare)) entry = plain;
		else if (/\bversion\b/i.test(bare)) version = plain;
		const seals = bare.match(SEAL) ?? [];
		const key = [entry, version, plain].join("\n");
		return seals.length === 0 ? [] : [{ key, seals, line: { number: at + 1, text: bare } }];
	});
}

/** Lines that name a place which is new, or new for what stands before it in the line. */
function fromElsewhere(base: string, fresh: readonly Line[]): Line[] {
	const known = new Set(placesIn(base));
	const had = new Map(base.split(/\r?\n/).map((line) => [nameIn(line), placesIn(line).join()]));
	return fresh.filter(({ text }) => {
		const places = placesIn(text);
		if (places.length === 0) return false;
		const name = nameIn(text);
		const before = name === "" ? undefined : had.get(name);
		const isOther = before === undefined ? OVERRIDES.test(name) : before !== places.join();
		return isOther || places.some((place) => !known.has(place));
	});
}

const nameIn = (line: string): string => /^[\s"']*([\w@./> -]+)/.exec(line)?.[1]?.trim() ?? "";

/** The part of a manifest that names dependencies, a line for each. */
function declared(file: string, text: string): string {
	if (path.posix.basename(file) !== "package.json") return text;
	return specifiers(parsePackage(text)).join("\n");
}

function declaredLines(file: string, head: string, fresh: readonly Line[]): readonly Line[] {
	if (path.posix.basename(file) !== "package.json") return fresh;
	return declared(file, head)
		.split("\n")
		.map((text) => ({ number: 1, text }));
}

const OVERRIDES = /^(?:overrides|resolutions|pnpm)\b/;

function specifiers(manifest: Fields): string[] {
	return Object.entries(manifest).flatMap(([key, value]) => {
		if (OVERRIDES.test(key)) return entriesOf(value, key);
		return /dependencies$/i.test(key) ? entriesOf(value) : [];
	});
}

function entriesOf(value: unknown, at = "", depth = 0): string[] {
	if (!isFields(value) || depth > 20) return [];
	return Object.entries(value).flatMap(([key, inner]) => {
		const name = at === "" ? key : `${at} > ${key}`;
		return typeof inner === "string"
			? [`${JSON.stringify(name)}: ${JSON.stringify(inner)}`]
			: entriesOf(inner, name, depth + 1);
	});
}

const placesIn = (text: string): string[] =>
	(text.match(PLACE) ?? []).map((place) => place.toLowerCase().replace(/#.*$/, ""));

/** New programs of a package of the repository under a name that a command runs. */
function impostors(file: string, base: string, head: string, words: ReadonlySet<string>): Line[] {
	if (!file.endsWith("/package.json")) return [];
	const had = binsOf(parsePackage(base));
	return binsOf(parsePackage(head))
		.filter((bin) => !had.includes(bin) && (words.has(bin) || PROGRAMS.has(bin)))
		.map((bin) => ({ number: 1, text: `"bin": "${bin}"` }));
}

function binsOf({ name, bin }: Fields): string[] {
	if (typeof bin === "string") return [String(name).replace(/^@[^/]*\//, "")];
	return isFields(bin) ? Object.keys(bin) : [];
}
