import { parse } from "yaml";
import { isFields } from "../../formats/reports/json-report.ts";

/**
 * Packages of a lock file: `name@version`, with where each comes from and what it must hash to. What the file does not say is
 * empty.
 *
 * @example `left-pad@1.3.0` with `["https://registry.example/left-pad/-/left-pad-1.3.0.tgz", "sha512-..."]`
 */
export type LockedPackages = ReadonlyMap<string, readonly string[]>;

interface LockFormat {
	readonly name: RegExp;
	/** Files in which a project names what it depends on; a lock follows them. */
	readonly manifests: RegExp;
	readonly read: (text: string) => LockedPackages;
}

const NODE = /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|\.yarnrc(?:\.yml)?|deno\.jsonc?)$/;
const PYTHON =
	/(?:^|\/)(?:pyproject\.toml|Pipfile|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in))$/;

/** Lines of an entry that say what the package is, whatever the format calls them. */
const IDENTITY =
	/\b(?:resolved|resolution|integrity|checksum|cksum|hash|sha\d+|source|url|git|path|file|revision|rev|remote|tarball|dist|reference)\b/i;

const FORMATS: readonly LockFormat[] = [
	{ name: /^(?:package-lock|npm-shrinkwrap)\.json$/, manifests: NODE, read: npmPackages },
	{ name: /^yarn\.lock$/, manifests: NODE, read: yarnPackages },
	{ name: /^pnpm-lock\.yaml$/, manifests: NODE, read: pnpmPackages },
	{ name: /^(?:bun\.lockb?|deno\.lock)$/, manifests: NODE, read: wholeText },
	{ name: /^(?:poetry|uv|pdm)\.lock$/, manifests: PYTHON, read: tomlPackages },
	{ name: /^Pipfile\.lock$/, manifests: PYTHON, read: wholeText },
	{ name: /^Cargo\.lock$/, manifests: /(?:^|\/)Cargo\.toml$/, read: tomlPackages },
	{ name: /^go\.sum$/, manifests: /(?:^|\/)go\.(?:mod|work)$/, read: goPackages },
	{ name: /^Gemfile\.lock$/, manifests: /(?:^|\/)Gemfile$|\.gemspec$/, read: wholeText },
	{ name: /^composer\.lock$/, manifests: /(?:^|\/)composer\.json$/, read: wholeText },
	{ name: /^mix\.lock$/, manifests: /(?:^|\/)mix\.exs$/, read: wholeText },
	{
		name: /^packages\.lock\.json$/,
		manifests: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
		read: wholeText,
	},
	{ name: /^Package\.resolved$/, manifests: /(?:^|\/)Package\.swift$/, read: wholeText },
];

/** The format of a lock file by its base name; undefined for other files. */
export function lockFormat(name: string): LockFormat | undefined {
	return FORMATS.find((format) => format.name.test(name));
}

/** A format of which no entry is known on its own: any difference is one. */
function wholeText(text: string): LockedPackages {
	return new Map([["", [text.replaceAll(/\s+/g, " ")]]]);
}

function npmPackages(text: string): LockedPackages {
	const packages = jsonOf(text)["packages"];
	return new Map(
		Object.entries(isFields(packages) ? packages : {}).flatMap(([path, entry]) => {
			if (path === "" || !isFields(entry)) return [];
			const { version, resolved, integrity, link } = entry;
			const place = link === true ? `link:${String(resolved)}` : resolved;
			return [[`${path}@${String(version)}`, contentOf([place, integrity])] as const];
		}),
	);
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		return isFields(value) ? value : {};
	} catch {
		return {};
	}
}

/** Both formats of yarn: blocks, whose first line names the package and whose lines are indented. */
function yarnPackages(text: string): LockedPackages {
	const blocks = text.split(/\n\s*\n/).map((block) => block.replaceAll(/^#.*\n?/gm, ""));
	return packagesOf(blocks, (block) => {
		const name = /^"?(@?[^@\s"]+)@/.exec(block)?.[1];
		const version = /^\s+version:?\s+"?([^"\s]+)/m.exec(block)?.[1];
		return name === undefined || version === undefined ? null : `${name}@${version}`;
	});
}

function pnpmPackages(text: string): LockedPackages {
	let value: unknown;
	try {
		value = parse(text, { maxAliasCount: 100 });
	} catch {
		return wholeText(text);
	}
	const packages = isFields(value) ? value["packages"] : null;
	return new Map(
		Object.entries(isFields(packages) ? packages : {}).map(([name, entry]) => [
			name.replace(/^\//, ""),
			contentOf(isFields(entry) ? [entry["resolution"]] : []),
		]),
	);
}

/** Cargo's, poetry's and uv's tables of packages. */
function tomlPackages(text: string): LockedPackages {
	return packagesOf(text.split(/^\[\[package\]\]$/m).slice(1), (block) => {
		const [name, version] = ["name", "version"].map(
			(key) => new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(block)?.[1],
		);
		return name === undefined ? null : `${name}@${version ?? ""}`;
	});
}

function goPackages(text: string): LockedPackages {
	return new Map(
		text.split("\n").flatMap((line) => {
			const [module, version, hash] = line.trim().split(/\s+/);
			return hash === undefined ? [] : [[`${module ?? ""}@${version ?? ""}`, [hash]] as const];
		}),
	);
}

function packagesOf(
	blocks: readonly string[],
	nameOf: (block: string) => string | null,
): LockedPackages {
	return new Map(
		blocks.flatMap((block) => {
			const name = nameOf(block);
			const lines = block.split("\n").filter((line) => IDENTITY.test(line));
			return name === null ? [] : [[name, [lines.map((line) => line.trim()).join("\n")]] as const];
		}),
	);
}

const contentOf = (parts: readonly unknown[]): string[] =>
	parts.map((part) => (part == null ? "" : typeof part === "string" ? part : JSON.stringify(part)));
