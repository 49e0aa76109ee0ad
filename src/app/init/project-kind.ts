import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** How a project installs its dependencies and runs its tests. */
export interface ProjectKind {
	/** What was recognised, such as `"package-lock.json"`; null when nothing was. */
	readonly foundBy: string | null;
	readonly setup: readonly string[];
	/** Command that runs the tests; null when none was found. */
	readonly test: string | null;
	/** True when Sparring reads counts of test cases from the runner's output; else the exit code decides. */
	readonly runnerKnown: boolean;
	/** Folder that setup fills and that must be ignored by git; null when there is none. */
	readonly dependencies: string | null;
}

/** Text of a file of the project; undefined when it cannot be read. */
type Read = (name: string) => Promise<string | undefined>;

/** Names in a folder of the project; none when it cannot be read. */
type Listed = (folder: string) => Promise<readonly string[]>;

const UNKNOWN: ProjectKind = {
	foundBy: null,
	setup: [],
	test: null,
	runnerKnown: false,
	dependencies: null,
};

/** Package managers by their lock file, in the order in which they are looked for. */
const LOCK_FILES = [
	["pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"],
	["yarn.lock", "yarn", "yarn install --frozen-lockfile"],
	["bun.lock", "bun", "bun install --frozen-lockfile"],
	["bun.lockb", "bun", "bun install --frozen-lockfile"],
	["package-lock.json", "npm", "npm ci"],
	["npm-shrinkwrap.json", "npm", "npm ci"],
] as const;

/** Runners of JavaScript tests whose output is recognised without a report file. */
const KNOWN_SCRIPT = /\b(vitest|jest|mocha)\b|\bnode\b.*\s--test\b/;

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value))
		: {};
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
	try {
		return objectOf(JSON.parse(text.replace(/^\uFEFF/, "")));
	} catch {
		return {};
	}
}

const dependenciesOf = (manifest: Readonly<Record<string, unknown>>): readonly string[] =>
	["dependencies", "devDependencies"].flatMap((key) => Object.keys(objectOf(manifest[key])));

async function nodeProject(read: Read): Promise<ProjectKind | undefined> {
	const text = await read("package.json");
	if (text === undefined) return undefined;
	const manifest = parsedObject(text);
	const script = objectOf(manifest["scripts"])["test"];
	const real =
		typeof script === "string" && script.trim() !== "" && !/no test specified/.test(script);
	const known = real && KNOWN_SCRIPT.test(script);
	for (const [file, manager, setup] of LOCK_FILES) {
		if ((await read(file)) === undefined) continue;
		return {
			foundBy: file,
			setup: [setup],
			// `bun test` would start bun's own runner instead of the script.
			test: real ? (manager === "bun" ? "bun run test" : `${manager} test`) : null,
			runnerKnown: known,
			dependencies: "node_modules",
		};
	}
	const needsInstall = dependenciesOf(manifest).length > 0;
	return {
		foundBy: "package.json",
		setup: needsInstall ? ["npm install --no-package-lock"] : [],
		test: real ? "npm test" : null,
		runnerKnown: known,
		dependencies: needsInstall ? "node_modules" : null,
	};
}

async function pythonProject(read: Read, listed: Listed): Promise<ProjectKind | undefined> {
	const pytest = (foundBy: string, setup: readonly string[], test: string): ProjectKind => ({
		foundBy,
		setup,
		test,
		runnerKnown: true,
		dependencies: setup.length > 0 ? ".venv" : null,
	});
	if ((await read("uv.lock")) !== undefined) {
		return pytest("uv.lock", ["uv sync --locked"], "uv run pytest");
	}
	if ((await read("poetry.lock")) !== undefined) {
		const setup = ["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install"];
		return pytest("poetry.lock", setup, "poetry run pytest");
	}
	const manifests = ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt"];
	for (const file of manifests) {
		if (/pytest/.test(`${file} ${(await read(file)) ?? ""}`) && (await read(file)) !== undefined) {
			return pytest(file, [], "python3 -m pytest");
		}
	}
	const manifest = await firstReadable(read, [...manifests, "setup.py"]);
	if (manifest === undefined) return undefined;
	const test = await unittestCommand(read, listed);
	return test === null ? undefined : pytest(manifest, [], test);
}

async function firstReadable(read: Read, names: readonly string[]): Promise<string | undefined> {
	for (const name of names) if ((await read(name)) !== undefined) return name;
	return undefined;
}

const isTest = (name: string): boolean => /^test.*\.py$/.test(name);

/** From the top Python finds tests only in packages: a folder without `__init__.py` must be named. */
async function unittestCommand(read: Read, listed: Listed): Promise<string | null> {
	const command = "python3 -m unittest discover";
	for (const folder of ["tests", "test"]) {
		if (!(await listed(folder)).some(isTest)) continue;
		const isPackage = (await read(`${folder}/__init__.py`)) !== undefined;
		return isPackage ? command : `${command} -s ${folder}`;
	}
	return (await listed(".")).some(isTest) ? command : null;
}

const readerAt =
	(root: string): Read =>
	async (name) => {
		try {
			return await readFile(path.join(root, name), "utf8");
		} catch {
			return undefined;
		}
	};

/** Whether the `package.json` at `root` names a package among its `dependencies` or `devDependencies`. */
export async function dependsOn(root: string, name: string): Promise<boolean> {
	const text = (await readerAt(root)("package.json")) ?? "";
	return dependenciesOf(parsedObject(text)).includes(name);
}

/** What the project at `root` is, from the files at its top: Node, Python, Go, Rust, or a Makefile with `test`. */
export async function projectKind(root: string): Promise<ProjectKind> {
	const read = readerAt(root);
	const node = await nodeProject(read);
	if (node?.test !== undefined && node.test !== null) return node;
	const python = await pythonProject(read, (folder) =>
		readdir(path.join(root, folder)).catch(() => []),
	);
	if (python !== undefined) return python;
	const byExitCode = {
		...UNKNOWN,
		setup: node?.setup ?? [],
		dependencies: node?.dependencies ?? null,
	};
	if ((await read("go.mod")) !== undefined) {
		return { ...UNKNOWN, foundBy: "go.mod", test: "go test -v ./...", runnerKnown: true };
	}
	if ((await read("Cargo.toml")) !== undefined) {
		return { ...UNKNOWN, foundBy: "Cargo.toml", test: "cargo test", dependencies: "target" };
	}
	if (/^test:/m.test((await read("Makefile")) ?? "")) {
		return { ...byExitCode, foundBy: "Makefile", test: "make test" };
	}
	return node ?? UNKNOWN;
}
