import path from "node:path";
import { fieldsOf } from "../../kernel/fields.ts";
import { parsePackage } from "../reading/runner-config.ts";

export interface CommandClosure {
	readonly scripts: readonly string[];
	readonly lines: readonly string[];
	readonly words: ReadonlySet<string>;
}

/** Programs that run scripts of package.json. */
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(
	"npm pnpm yarn bun npm-run-all npm-run-all2 run-s run-p lerna turbo nx wireit concurrently".split(
		" ",
	),
);

const ALIASES: Readonly<Record<string, string>> = { t: "test", tst: "test", it: "test" };

const INSTALLERS = /^(?:npm|cnpm|pnpm|yarn|bun)$/;
const INSTALLS =
	/^(?:ci|install|i|in|add|clean-install|install-test|it|install-ci-test|cit|install-clean|rebuild|link)$/;

export const INSTALL_SCRIPTS: readonly string[] =
	"preinstall install postinstall prepublish preprepare prepare postprepare dependencies".split(
		" ",
	);

/** Splits a shell line into words, at operators and assignments. A quoted text is also a word as a whole. */
function wordsOf(command: string): string[] {
	const quoted = [...command.matchAll(/"([^"]*)"|'([^']*)'/g)];
	const bare = command.replaceAll(/["'`\\]/g, " ").split(/[\s;|&()<>{}$=,]+/);
	return [...quoted.map(([, double, single]) => double ?? single ?? ""), ...bare].filter(
		(word) => word !== "",
	);
}

/**
 * Follows a command through the scripts of a package.json.
 *
 * It prefers to find too many: once a package runner is named, every word that is the name of a script counts.
 *
 * @param manifest text of package.json at the base; null when there is none
 */
export function commandClosure(command: string, manifest: string | null): CommandClosure {
	const scripts = scriptsOf(manifest);
	const words = new Set<string>();
	const reached = new Set<string>();
	const lines: string[] = [];
	const queue = [command];
	for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
		lines.push(line);
		const found = wordsOf(line);
		for (const word of found) words.add(word);
		if (!found.some((word) => PACKAGE_RUNNERS.has(path.posix.basename(word)))) continue;
		const names = found.flatMap((word) => namedScripts(word, scripts));
		const runs = names.flatMap((name) => [`pre${name}`, name, `post${name}`]);
		if (isInstall(line)) runs.push(...INSTALL_SCRIPTS);
		for (const script of runs) {
			if (reached.has(script)) continue;
			reached.add(script);
			queue.push(scripts.get(script) ?? "");
		}
	}
	return { scripts: [...reached], lines, words };
}

/** `npm ci`, `pnpm i`, or `yarn` alone; not with `--ignore-scripts`. */
function isInstall(line: string): boolean {
	return line.split(/[\n;|&]+/).some((part) => {
		const words = wordsOf(part);
		const at = words.findIndex((word) => INSTALLERS.test(path.posix.basename(word)));
		const [program = "", ...rest] = words.slice(at);
		if (at < 0 || rest.includes("--ignore-scripts")) return false;
		const bare = rest.every((word) => word.startsWith("-"));
		return rest.some((word) => INSTALLS.test(word)) || (bare && /yarn$/.test(program));
	});
}

export function scriptsOf(manifest: string | null): Map<string, string> {
	const scripts = fieldsOf(parsePackage(manifest)["scripts"]);
	return new Map(
		Object.entries(scripts).filter((entry): entry is [string, string] => {
			return typeof entry[1] === "string";
		}),
	);
}

function namedScripts(word: string, scripts: ReadonlyMap<string, string>): string[] {
	const bare = word.replace(/^npm:/, "");
	const name = ALIASES[bare] ?? bare;
	if (scripts.has(name) || name === "test") return [name];
	if (!name.includes("*")) return [];
	const start = name.slice(0, name.indexOf("*"));
	return [...scripts.keys()].filter((script) => script.startsWith(start));
}
