import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { attempt } from "../../kernel/attempt.ts";
import { type Fields, fieldsOf, jsonIn } from "../../kernel/fields.ts";
import {
	acceptance,
	type ProjectCheck,
	type ProjectFiles,
	type ProjectPart,
} from "./project-part.ts";

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

// Not the placeholder of `npm init`.
function testScript(manifest: Fields): string | undefined {
	const script = fieldsOf(manifest["scripts"])["test"];
	const isReal =
		typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");
	return isReal ? script : undefined;
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
	const check = testCheck(manifest, packages, how);
	return {
		name: "node",
		foundBy,
		setup,
		dependencies,
		checks: check === undefined ? [] : [check],
	};
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

function testCheck(
	manifest: Fields,
	packages: readonly Fields[],
	how: Pick<Install, "manager" | "plugAndPlay">,
): ProjectCheck | undefined {
	if (testScript(manifest) === undefined) {
		return packages.some((one) => testScript(one) !== undefined)
			? acceptance(workspaceTests(how))
			: undefined;
	}
	// `bun test` would start bun's own runner instead of the script.
	return acceptance(how.manager === "bun" ? "bun run test" : `${how.manager} test`);
}

function workspaceTests({
	manager,
	plugAndPlay,
}: Pick<Install, "manager" | "plugAndPlay">): string {
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
