import { readdir } from "node:fs/promises";
import path from "node:path";
import { nameProblem } from "../../workflow/safe-name.ts";
import { nodePart } from "./node-part.ts";
import {
	acceptance,
	type ProjectCheck,
	type ProjectFiles,
	type ProjectPart,
	projectFiles,
} from "./project-part.ts";
import { pythonPart } from "./python-part.ts";

interface ProjectContents {
	readonly files: ProjectFiles;
	readonly has: (name: string) => Promise<boolean>;
	readonly folderWith: (name: RegExp, ...folders: readonly string[]) => Promise<string | undefined>;
}

interface Ecosystem {
	readonly name: string;
	// At the top; the first file of such a name counts.
	readonly foundBy: RegExp;
	readonly setup: (found: ProjectContents) => Promise<readonly string[]>;
	readonly run: (found: ProjectContents) => Promise<string | undefined>;
	// Left by the runner itself; without one its output is read.
	readonly report?: ProjectCheck["report"];
	readonly dependencies: readonly string[];
}

const wrapper = async ({ has }: ProjectContents, file: string, program: string): Promise<string> =>
	(await has(file)) ? `./${file}` : program;

const BUNDLE = "BUNDLE_PATH=vendor/bundle bundle";

function rakeTask(rakefile: string): string | undefined {
	const named = /^[^#\n]*\b(?:TestTask\.(?:new|create)|task)[ (]+["':]?(test|spec)\b/m;
	const isDefault = /^[^#\n]*\bTestTask\.(?:new|create)\b(?![ (]+["':])/m.test(rakefile);
	return isDefault ? "test" : named.exec(rakefile)?.[1];
}

const CMAKE = "cmake -S . -B build && cmake --build build";

// Beside Node, Python and make. Another one is an entry here and a line of `docs/ecosystems.md`.
const ECOSYSTEMS: readonly Ecosystem[] = [
	{
		name: "go",
		foundBy: /^go\.(?:mod|work)$/,
		setup: async () => [],
		run: async ({ files, has }) => {
			if (await has("go.mod")) return "go test -v ./...";
			const workspace = (await files.read("go.work")) ?? "";
			// At the top of a workspace `./...` matches nothing: each module must be named.
			const modules = [...workspace.matchAll(/^[ \t]*(?:use[ \t]+)?(\.\/[\w./-]+)[ \t\r]*$/gm)];
			const places = modules.map(([, folder = ""]) => `${folder.replace(/\/$/, "")}/...`);
			return places.length === 0 ? undefined : `go test -v ${places.join(" ")}`;
		},
		dependencies: [],
	},
	{
		name: "rust",
		foundBy: /^Cargo\.toml$/,
		setup: async () => [],
		run: async ({ files }) => {
			const manifest = (await files.read("Cargo.toml")) ?? "";
			return `cargo test${/^\[workspace\]/m.test(manifest) ? " --workspace" : ""}`;
		},
		dependencies: ["target"],
	},
	{
		name: "ruby",
		foundBy: /^(?:Gemfile|Rakefile|\.rspec)$/,
		setup: async ({ has }) => ((await has("Gemfile")) ? [`${BUNDLE} install`] : []),
		run: async ({ has, folderWith, files }) => {
			const start = (await has("Gemfile")) ? `${BUNDLE} exec ` : "";
			if ((await has(".rspec")) || (await folderWith(/_spec\.rb$|^spec_helper\.rb$/, "spec")))
				return `${start}rspec`;
			if (await has("bin/rails")) return `${start}rails test`;
			const task = rakeTask((await files.read("Rakefile")) ?? "");
			return task === undefined ? undefined : `${start}rake ${task}`;
		},
		dependencies: ["vendor/bundle"],
	},
	{
		name: "php",
		foundBy: /^composer\.json$/,
		setup: async () => ["composer install --no-interaction"],
		run: async ({ files, has }) => {
			const text = (await files.read("composer.json")) ?? "";
			if (/"scripts"\s*:\s*\{[^}]*"test"\s*:/.test(text)) return "composer test";
			if (text.includes('"pestphp/pest"')) return "vendor/bin/pest";
			const isPhpunit =
				text.includes('"phpunit/phpunit"') ||
				(await has("phpunit.xml")) ||
				(await has("phpunit.xml.dist"));
			return isPhpunit ? "vendor/bin/phpunit" : undefined;
		},
		dependencies: ["vendor"],
	},
	{
		name: "maven",
		foundBy: /^pom\.xml$/,
		// Surefire fetches what it runs tests with when it runs them, and a check may have no network.
		setup: async (found) => [
			`${await wrapper(found, "mvnw", "mvn")} -B -q -Dmaven.test.failure.ignore=true test`,
		],
		run: async (found) => `${await wrapper(found, "mvnw", "mvn")} -B test`,
		report: { format: "junit", path: "**/target/surefire-reports/*.xml" },
		dependencies: ["target"],
	},
	{
		name: "gradle",
		foundBy: /^(?:settings|build)\.gradle(?:\.kts)?$/,
		setup: async (found) => [
			`${await wrapper(found, "gradlew", "gradle")} --no-daemon testClasses`,
		],
		run: async (found) =>
			`${await wrapper(found, "gradlew", "gradle")} --no-daemon --console=plain --continue test`,
		report: { format: "junit", path: "**/build/test-results/**/*.xml" },
		dependencies: ["build", ".gradle"],
	},
	{
		name: "cmake",
		foundBy: /^CMakeLists\.txt$/,
		setup: async () => [],
		run: async ({ files }) => {
			const text = (await files.read("CMakeLists.txt")) ?? "";
			const isTested = /\b(?:enable_testing|add_test)\s*\(|\binclude\s*\(\s*CTest\b/i;
			return isTested.test(text.replaceAll(/#.*$/gm, ""))
				? `${CMAKE} && ctest --test-dir build --output-on-failure`
				: undefined;
		},
		dependencies: ["build"],
	},
	{
		name: "elixir",
		foundBy: /^mix\.exs$/,
		setup: async () => ["mix local.hex --force --if-missing", "mix deps.get"],
		run: async () => "mix test",
		dependencies: ["deps", "_build"],
	},
	{
		name: "dotnet",
		foundBy: /\.(?:slnx?|csproj|fsproj|vbproj)$/,
		setup: async () => ["dotnet restore"],
		run: async () => "dotnet test",
		dependencies: ["bin", "obj"],
	},
	{
		name: "bats",
		foundBy: /^(?:tests?|spec|bats)$|\.bats$/,
		setup: async () => [],
		run: async ({ files, folderWith }) => {
			const manifest = (await files.read("package.json")) ?? "";
			// Its own script runs them, with the bats that it depends on.
			if (/"test"\s*:\s*"[^"]*\bbats\b/.test(manifest)) return undefined;
			const folder = await folderWith(/\.bats$/, "test", "tests", "spec", "bats", ".");
			return folder === undefined ? undefined : `bats ${folder}`;
		},
		dependencies: [],
	},
];

async function ecosystemParts(files: ProjectFiles): Promise<readonly ProjectPart[]> {
	const names = [...(await files.list("."))].sort();
	const found: ProjectContents = {
		files,
		has: async (each) => (await files.read(each)) !== undefined,
		folderWith: async (pattern, ...folders) => {
			for (const folder of folders)
				if ((await files.list(folder)).some((each) => pattern.test(each))) return folder;
			return undefined;
		},
	};
	const parts: ProjectPart[] = [];
	for (const { name, foundBy, setup, run, report, dependencies } of ECOSYSTEMS) {
		const file = names.find((each) => foundBy.test(each));
		if (file === undefined) continue;
		const line = await run(found);
		const checks = line === undefined ? [] : [{ ...acceptance(line), ...(report && { report }) }];
		parts.push({ name, foundBy: file, setup: await setup(found), checks, dependencies });
	}
	return parts;
}

export type NamedCheck = ProjectCheck & { readonly name: string };

export interface ProjectKind {
	readonly foundBy: readonly string[];
	readonly setup: readonly string[];
	// None when no test command was found.
	readonly checks: readonly NamedCheck[];
	// As of a part.
	readonly watching?: string | undefined;
	// Folders that setup fills and that git must ignore.
	readonly dependencies: readonly string[];
}

const MOST_FOLDERS = 8;

// A longer name would not fit into the name of a check.
const LONGEST_FOLDER = 40;

/**
 * Kind of the project at `root`, from the files at its top, in a repository of several kinds each of them. A Makefile
 * counts where no language has tests. Where nothing at the top has any, each folder there is asked.
 */
export async function projectKind(root: string, searchPath: string): Promise<ProjectKind> {
	const parts = await partsOf(projectFiles(root, searchPath));
	if (parts.some(isTested)) return combined(parts);
	const inFolders = await folderParts(root, searchPath);
	return combined(inFolders.length > 0 ? inFolders : parts);
}

const isTested = ({ checks, watching }: ProjectPart): boolean =>
	checks.length > 0 || watching !== undefined;

// Parts with tests; without any all of them. Those that a Makefile may use are set up for it.
async function partsOf(files: ProjectFiles): Promise<readonly ProjectPart[]> {
	const found = [
		await nodePart(files),
		await pythonPart(files),
		...(await ecosystemParts(files)),
	].filter((part) => part !== undefined);
	const tested = found.filter(isTested);
	if (tested.length > 0) return tested;
	const make = await makePart(files);
	return make === undefined ? found : [...found, make];
}

async function folderParts(root: string, searchPath: string): Promise<ProjectPart[]> {
	const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
	const folders = entries
		.filter((entry) => entry.isDirectory() && entry.name.length <= LONGEST_FOLDER)
		.map(({ name }) => name)
		.filter((name) => nameProblem(name) === undefined)
		.filter((name) => name !== "node_modules" && name !== "vendor")
		.sort();
	const found: ProjectPart[] = [];
	for (const folder of folders) {
		const parts = (await partsOf(projectFiles(path.join(root, folder), searchPath))).filter(
			isTested,
		);
		found.push(...parts.map((part) => below(folder, part, parts.length > 1)));
	}
	return found.length > MOST_FOLDERS ? [] : found;
}

function below(folder: string, part: ProjectPart, isOneOfSeveral: boolean): ProjectPart {
	const there = (command: string): string => `cd ${folder} && ${command}`;
	return {
		name: isOneOfSeveral ? `${folder}-${part.name}` : folder,
		foundBy: path.join(folder, part.foundBy),
		setup: part.setup.map(there),
		watching: part.watching,
		checks: part.checks.map(({ report, ...check }) => ({
			...check,
			run: there(check.run),
			...(report && { report: { ...report, path: path.join(folder, report.path) } }),
		})),
		dependencies: part.dependencies.map((name) => path.join(folder, name)),
	};
}

function combined(parts: readonly ProjectPart[]): ProjectKind {
	const isAlone = parts.filter(isTested).length === 1;
	return {
		foundBy: parts.map(({ foundBy }) => foundBy),
		setup: parts.flatMap(({ setup }) => setup),
		checks: parts.flatMap(({ name, checks }) =>
			checks.map((check) => {
				const what = check.kind === "acceptance" ? "tests" : "lint";
				return { ...check, name: isAlone ? what : `${what}-${name}` };
			}),
		),
		dependencies: parts.flatMap(({ dependencies }) => dependencies),
		watching: parts.find(({ watching }) => watching !== undefined)?.watching,
	};
}

// In the order in which make looks for them.
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

async function makePart(files: ProjectFiles): Promise<ProjectPart | undefined> {
	for (const foundBy of MAKEFILES) {
		const text = await files.read(foundBy);
		if (text === undefined) continue;
		const test = ["test", "check"].find((target) => hasTarget(text, target));
		if (test === undefined) return undefined;
		const lint = { kind: "lint", run: "make lint" } as const;
		return {
			name: "make",
			foundBy,
			setup: [],
			checks: [acceptance(`make ${test}`), ...(hasTarget(text, "lint") ? [lint] : [])],
			dependencies: [],
		};
	}
	return undefined;
}

// A rule such as `test:` or `build test: all`, but not `test := x`.
function hasTarget(text: string, target: string): boolean {
	return text
		.split("\n")
		.some((line) =>
			(/^([\w./ -]+)::?(?![:=])/.exec(line)?.[1] ?? "").trim().split(/ +/).includes(target),
		);
}
