import { readdir } from "node:fs/promises";
import path from "node:path";
import { nameProblem } from "../../workflow/safe-name.ts";
import { ecosystemParts } from "./ecosystems.ts";
import { nodePart } from "./node-part.ts";
import {
	acceptance,
	type ProjectCheck,
	type ProjectFiles,
	type ProjectPart,
	projectFiles,
} from "./project-part.ts";
import { pythonPart } from "./python-part.ts";

/** A check with its name in the workflow. */
export type NamedCheck = ProjectCheck & { readonly name: string };

/** How a project installs its dependencies and runs its tests. */
export interface ProjectKind {
	/** Files that it was recognised by, such as `package-lock.json`. */
	readonly foundBy: readonly string[];
	readonly setup: readonly string[];
	/** None when no test command was found. */
	readonly checks: readonly NamedCheck[];
	/** Folders that setup fills and that git must ignore. */
	readonly dependencies: readonly string[];
}

/** With more projects than this in the folders at the top, none of them is the repository's. */
const MOST_FOLDERS = 8;

/** A longer name would not fit into the name of a check. */
const LONGEST_FOLDER = 40;

/**
 * Kind of the project at `root`, from the files at its top: Node, Python, Go, Rust and the table of `ecosystems.ts`, and
 * each of them in a repository of several. A Makefile counts where no language has tests. Where nothing at the top has any, each folder there is asked.
 */
export async function projectKind(root: string): Promise<ProjectKind> {
	const parts = await partsOf(projectFiles(root));
	if (parts.some(isTested)) return combined(parts);
	const inFolders = await folderParts(root);
	return combined(inFolders.length > 0 ? inFolders : parts);
}

const isTested = ({ checks }: ProjectPart): boolean => checks.length > 0;

/** Parts with tests; without any all of them. Those that a Makefile may use are set up for it. */
async function partsOf(files: ProjectFiles): Promise<readonly ProjectPart[]> {
	const found = [
		await nodePart(files),
		await pythonPart(files),
		await goPart(files),
		await cargoPart(files),
		...(await ecosystemParts(files)),
	].filter((part) => part !== undefined);
	const tested = found.filter(isTested);
	if (tested.length > 0) return tested;
	const make = await makePart(files);
	return make === undefined ? found : [...found, make];
}

/** Parts of the folders at the top, with commands that go there first. */
async function folderParts(root: string): Promise<ProjectPart[]> {
	const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
	const folders = entries
		.filter((entry) => entry.isDirectory() && entry.name.length <= LONGEST_FOLDER)
		.map(({ name }) => name)
		.filter((name) => nameProblem(name) === undefined)
		.filter((name) => name !== "node_modules" && name !== "vendor")
		.sort();
	const found: ProjectPart[] = [];
	for (const folder of folders) {
		const parts = (await partsOf(projectFiles(path.join(root, folder)))).filter(isTested);
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
	};
}

async function goPart(files: ProjectFiles): Promise<ProjectPart | undefined> {
	const part = (foundBy: string, places: readonly string[]): ProjectPart => ({
		name: "go",
		foundBy,
		setup: [],
		checks: [acceptance(`go test -v ${places.join(" ")}`)],
		dependencies: [],
	});
	if ((await files.read("go.mod")) !== undefined) return part("go.mod", ["./..."]);
	const workspace = await files.read("go.work");
	// At the top of a workspace `./...` matches nothing: each module must be named.
	const modules = [...(workspace ?? "").matchAll(/^[ \t]*(?:use[ \t]+)?(\.\/[\w./-]+)[ \t\r]*$/gm)];
	if (modules.length === 0) return undefined;
	return part(
		"go.work",
		modules.map(([, folder = ""]) => `${folder.replace(/\/$/, "")}/...`),
	);
}

async function cargoPart(files: ProjectFiles): Promise<ProjectPart | undefined> {
	const manifest = await files.read("Cargo.toml");
	if (manifest === undefined) return undefined;
	const all = /^\[workspace\]/m.test(manifest) ? " --workspace" : "";
	return {
		name: "rust",
		foundBy: "Cargo.toml",
		setup: [],
		checks: [acceptance(`cargo test${all}`)],
		dependencies: ["target"],
	};
}

/** In the order in which make looks for them. */
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

/** Whether a Makefile has a rule for the target: `test:`, `build test: all`, but not `test := x`. */
function hasTarget(text: string, target: string): boolean {
	return text
		.split("\n")
		.some((line) =>
			(/^([\w./ -]+)::?(?![:=])/.exec(line)?.[1] ?? "").trim().split(/ +/).includes(target),
		);
}
