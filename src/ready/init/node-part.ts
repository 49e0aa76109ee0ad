import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { attempt } from "../../kernel/attempt.ts";
import { type Fields, fieldsOf, jsonIn } from "../../kernel/fields.ts";
import { acceptance, type ProjectFiles, type ProjectPart } from "./project-part.ts";

type Manager = "npm" | "pnpm" | "yarn" | "bun";

interface Install {
	readonly manager: Manager;
	readonly foundBy: string;
	readonly setup: readonly string[];
	readonly dependencies: readonly string[];
	// Yarn without `node_modules`: only yarn itself finds the packages.
	readonly plugAndPlay: boolean;
}

const LOCK_FILES: readonly (readonly [file: string, manager: Manager, setup: string])[] = [
	["pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"],
	["yarn.lock", "yarn", "yarn install --frozen-lockfile"],
	["bun.lock", "bun", "bun install --frozen-lockfile"],
	["bun.lockb", "bun", "bun install --frozen-lockfile"],
	["package-lock.json", "npm", "npm ci"],
	["npm-shrinkwrap.json", "npm", "npm ci"],
];

// Without a lock file nothing may leave one behind, which would be part of the agent's commits.
const UNLOCKED: Readonly<Record<Manager, string>> = {
	npm: "npm install --no-package-lock",
	pnpm: "pnpm install --no-lockfile",
	yarn: "yarn install --no-lockfile",
	bun: "bun install --no-save",
};

const MOST_PACKAGES = 500;

const parsedObject = (text: string): Fields => fieldsOf(jsonIn(text.replace(/^\uFEFF/, "")));

const parsedYaml = (text: string): Fields => attempt(() => fieldsOf(parse(text)), {});

const dependenciesOf = (manifest: Fields): readonly string[] =>
	["dependencies", "devDependencies"].flatMap((key) => Object.keys(fieldsOf(manifest[key])));

type Scripts = Readonly<Record<string, string>>;

// Not the placeholder of `npm init`.
function scriptsOf(manifest: Fields): Scripts {
	const all = Object.entries(fieldsOf(manifest["scripts"]));
	return Object.fromEntries(
		all.filter(
			(entry): entry is [string, string] =>
				typeof entry[1] === "string" &&
				entry[1].trim() !== "" &&
				!entry[1].includes("no test specified"),
		),
	);
}

export async function dependsOn({ read }: ProjectFiles, name: string): Promise<boolean> {
	return dependenciesOf(parsedObject((await read("package.json")) ?? "")).includes(name);
}

export async function nodePart(files: ProjectFiles): Promise<ProjectPart | undefined> {
	const text = await files.read("package.json");
	if (text === undefined) return undefined;
	const manifest = parsedObject(text);
	const packages = await workspacePackages(files, manifest);
	const { foundBy, setup, dependencies, ...how } = await installOf(files, [manifest, ...packages]);
	return { name: "node", foundBy, setup, dependencies, ...testsOf(manifest, packages, how) };
}

async function installOf(files: ProjectFiles, manifests: readonly Fields[]): Promise<Install> {
	for (const [foundBy, manager, setup] of LOCK_FILES) {
		const lock = await files.read(foundBy);
		if (lock === undefined) continue;
		const isBerry = manager === "yarn" && lock.includes("__metadata:");
		const linker = isBerry ? ((await files.read(".yarnrc.yml")) ?? "") : null;
		const plugAndPlay =
			linker !== null && !/^nodeLinker: *["']?(?:node-modules|pnpm)\b/m.test(linker);
		return {
			manager,
			foundBy,
			setup: [isBerry ? "yarn install --immutable" : setup],
			dependencies: plugAndPlay ? [] : ["node_modules"],
			plugAndPlay,
		};
	}
	return unlocked(files, manifests);
}

async function unlocked(files: ProjectFiles, manifests: readonly Fields[]): Promise<Install> {
	const named = /^(?:pnpm|yarn|bun)(?=@)/.exec(String(manifests[0]?.["packageManager"]))?.[0];
	const isPnpm = (await files.read("pnpm-workspace.yaml")) !== undefined;
	// One of the three names, by the pattern.
	const manager = (named ?? (isPnpm ? "pnpm" : "npm")) as Manager;
	const needsInstall = manifests.length > 1 || manifests.some((one) => dependenciesOf(one).length);
	return {
		manager,
		foundBy: "package.json",
		setup: needsInstall ? [UNLOCKED[manager]] : [],
		dependencies: needsInstall ? ["node_modules"] : [],
		plugAndPlay: false,
	};
}

type Manner = Pick<Install, "manager" | "plugAndPlay">;

function testsOf(
	manifest: Fields,
	packages: readonly Fields[],
	how: Manner,
): Pick<ProjectPart, "checks" | "watching"> {
	const scripts = scriptsOf(manifest);
	const found =
		"test" in scripts
			? runOnce(scripts, "test", how.manager)
			: workspaceOnce(packages.map(scriptsOf), how);
	if (found === undefined) return { checks: [] };
	return "run" in found ? { checks: [acceptance(found.run)] } : { checks: [], ...found };
}

/** A command that ends by itself; else the script that does not. */
type OneRun = { readonly run: string } | { readonly watching: string };

// Of a runner that watches although a check has no terminal and `CI` is set, with the option that, put last, ends it.
const WATCHING: readonly (readonly [watches: RegExp, once: string])[] = [
	[/\bvitest(?:\.mjs)?\s(?:\s*(?:watch|dev)\b|(?:.*\s)?(?:--watch|-w)(?![\w=-]))/, "--run"],
	[
		/\b(?:jest|react-scripts)(?:\.js)?\s.*--watch(?:All)?(?![\w=-])/,
		"--watch=false --watchAll=false",
	],
	[/\bng\s+test\b(?!.*--(?:no-watch|watch=false))/, "--watch=false"],
	[/\s--watch(?:All)?(?![\w=-])(?!\s+false\b)|^\s*(?:npx\s+)?nodemon\b/, ""],
];

// Neither what stands in quotes nor what stands behind a sign of a comment is an option.
const commandsIn = (script: string): string[] =>
	script
		.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, "''")
		.replaceAll(/(?:^|\s)#.*/g, "")
		.split(/&&|[|;&\n]/);

/** The option that ends a command which watches, empty where none is known; undefined: it does not watch. */
const endOf = (command: string): string | undefined =>
	WATCHING.find(([watches]) => watches.test(command))?.[1];

const isWatching = (script: string): boolean =>
	commandsIn(script).some((command) => endOf(command) !== undefined);

// Names that projects give to the script that their CI runs.
const ONCE_SCRIPTS = ["test:ci", "test:run"];

const LONGEST_WAY = 5;

function runOnce(scripts: Scripts, name: string, manager: Manager, steps = 0): OneRun {
	const script = scripts[name] ?? "";
	// `bun test` would start bun's own runner instead of the script.
	const isPlain = name === "test" && manager !== "bun";
	const run = `${manager} ${isPlain ? "" : "run "}${name}`;
	const leadsTo = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)$/.exec(script.trim())?.[1] ?? "";
	if (leadsTo in scripts && steps < LONGEST_WAY) {
		const next = runOnce(scripts, leadsTo, manager, steps + 1);
		return "run" in next && next.run === `${manager} run ${leadsTo}` ? { run } : next;
	}
	if (!isWatching(script)) return { run };
	const other = ONCE_SCRIPTS.find((each) => each in scripts && !isWatching(scripts[each] ?? ""));
	if (other !== undefined) return { run: `${manager} run ${other}` };
	const commands = commandsIn(script);
	const end = endOf(commands.pop() ?? "");
	// An option reaches the last command alone.
	if (!end || commands.some((command) => endOf(command) !== undefined)) return { watching: script };
	return { run: manager === "npm" ? `${run} -- ${end}` : `${manager} run ${name} ${end}` };
}

function workspaceOnce(packages: readonly Scripts[], how: Manner): OneRun | undefined {
	const tested = packages.filter((scripts) => "test" in scripts);
	const watching = tested.find(({ test = "" }) => isWatching(test))?.["test"];
	if (watching !== undefined) return { watching };
	return tested.length === 0 ? undefined : { run: workspaceTests(how) };
}

function workspaceTests({ manager, plugAndPlay }: Manner): string {
	// The top of the workspace is one of them, and has no tests.
	if (plugAndPlay) return "yarn workspaces foreach --all --exclude . run test";
	if (manager === "bun") return "bun run --filter '*' test";
	if (manager === "pnpm") return "pnpm -r --workspace-concurrency=1 --no-bail test";
	// npm reads the workspaces of yarn too, and unlike yarn 1 it leaves out packages without the script.
	return "npm test --workspaces --if-present";
}

async function workspacePackages(files: ProjectFiles, manifest: Fields): Promise<Fields[]> {
	const pnpm = parsedYaml((await files.read("pnpm-workspace.yaml")) ?? "");
	const own = manifest["workspaces"];
	const listed = [Array.isArray(own) ? own : fieldsOf(own)["packages"], pnpm["packages"]]
		.flat()
		.filter((pattern): pattern is string => typeof pattern === "string" && isInside(pattern));
	const manifestsOf = (pattern: string): string => path.posix.join(pattern, "package.json");
	const wanted = listed.filter((pattern) => !pattern.startsWith("!")).map(manifestsOf);
	const left = listed.filter((pattern) => pattern.startsWith("!"));
	const packages: Fields[] = [];
	const exclude = ["**/node_modules/**", ...left.map((pattern) => manifestsOf(pattern.slice(1)))];
	for await (const file of glob(wanted, { cwd: files.root, exclude })) {
		if (file === "package.json") continue;
		const text = await readFile(path.join(files.root, file), "utf8").catch(() => "");
		packages.push(parsedObject(text));
		if (packages.length === MOST_PACKAGES) break;
	}
	return packages;
}

const isInside = (pattern: string): boolean =>
	!path.posix.isAbsolute(pattern) && !pattern.split("/").includes("..");
