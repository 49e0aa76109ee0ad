import { existsSync } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import picomatch from "picomatch";
import { builtFiles } from "../checks/built-files.ts";
import { namedFew } from "../confidence/metric.ts";
import { pathMatcher } from "../evidence/path-match.ts";
import { type CopiedFiles, copiedFiles, keepCopies } from "../git/copied-files.ts";
import { ignoredFiles } from "../git/ignored-files.ts";
import { treeListing } from "../git/objects.ts";
import { pathText, treeEntries } from "../git/parsing.ts";
import type { Repository } from "../git/repository.ts";
import { formatBytes } from "../kernel/bytes.ts";
import { Fault } from "../kernel/fault.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { bareGlob } from "../workflow/glob.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Drive } from "./drive.ts";

// Each checkout of a run holds so much.
const MOST_BYTES = 100 * 1_048_576;

/** Names the files that `copy` takes. @throws Fault `workflow-invalid` with every problem at once */
export async function requireCopies(
	{ copy = [], file = "sparring.yaml" }: Pick<Workflow, "copy" | "file">,
	repository: Repository,
	baseCommit: string,
): Promise<readonly string[]> {
	if (copy.length === 0) return [];
	const listing = treeEntries(await treeListing(repository, baseCommit));
	const tracked = listing.map(({ path }) => pathText(path));
	const found = await Promise.all(
		copy.map((glob) => filesOf(glob, { repository, tracked, workflowFile: file })),
	);
	const problems = found.flatMap((each, index) =>
		typeof each === "string" ? [`${file}: copy: ${JSON.stringify(copy[index])} ${each}`] : [],
	);
	const paths = [
		...new Set(found.flatMap((each) => (typeof each === "string" ? [] : each))),
	].sort();
	const sizes = await Promise.all(
		paths.map(async (path) => (await stat(join(repository.root, path))).size),
	);
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	if (bytes > MOST_BYTES)
		problems.push(
			`${file}: copy takes ${formatBytes(bytes)}, and the limit is ${formatBytes(MOST_BYTES)}`,
		);
	if (problems.length === 0) return paths;
	throw new Fault(problems.join("\n"), {
		code: "workflow-invalid",
		hint: "copy names files of this checkout that git ignores, from the repository root.",
	});
}

interface CopySource {
	readonly repository: Repository;
	readonly tracked: readonly string[];
	readonly workflowFile: string;
}

async function filesOf(
	glob: string,
	{ repository, tracked, workflowFile }: CopySource,
): Promise<readonly string[] | string> {
	const { root } = repository;
	if (glob.startsWith("!")) return "excludes; name what is to be copied";
	const bare = bareGlob(glob);
	// A path that is there means itself, whatever characters it has.
	const isPath = existsSync(join(root, bare));
	const matches = isPath
		? (path: string) => path === bare || path.startsWith(`${bare}/`)
		: pathMatcher([bare]);
	const base = isPath ? bare : picomatch.scan(bare).base;
	const below = base === "" ? undefined : base;
	const isWanted = (path: string): boolean => matches(path) && !path.startsWith(".sparring/");
	const files = (await ignoredFiles(repository, { below })).filter(isWanted);
	if (files.includes(workflowFile)) return "is the workflow file";
	const clash = tracked.find((path) =>
		files.length === 0 ? isWanted(path) : files.includes(path),
	);
	if (clash !== undefined) return "is tracked; it is part of every checkout anyway";
	if (files.length === 0) {
		const others = await ignoredFiles(repository, { below, others: true });
		if (others.some(isWanted)) return "is not ignored by git; add it to .gitignore, or commit it";
		return isPath ? "holds no file that git ignores" : `does not exist in ${root}`;
	}
	const [built] = builtFiles(files, tracked);
	if (built !== undefined)
		return `holds ${built}, which is built from the project's own code: checks would test your build, never the work; build it in the command of the check`;
	for (const path of files) {
		const problem = await unfitFile(root, path);
		if (problem !== null) return `cannot be copied: ${path} ${problem}`;
	}
	return files;
}

async function unfitFile(root: string, path: string): Promise<string | null> {
	if (path.endsWith("/")) return "is a repository of its own";
	try {
		const target = await realpath(join(root, path));
		const isLink = (await lstat(join(root, path))).isSymbolicLink();
		const way = relative(root, target);
		if (isLink && (way.startsWith("..") || /^\.(?:git|sparring)(?:\/|$)/.test(way)))
			return "is a link that leads out of the repository";
		return (await stat(target)).isFile() ? null : "is not a regular file";
	} catch (error) {
		return `cannot be read (${error instanceof Error && "code" in error ? String(error.code) : "unknown"})`;
	}
}

// Taken when it starts and kept in its directory: the same after a resume, whatever the user changed.
export async function copiesOf({
	workflow,
	repository,
	places,
	run,
	onNotice,
}: Pick<
	Drive,
	"workflow" | "repository" | "places" | "run" | "onNotice"
>): Promise<CopiedFiles | null> {
	if (workflow.copy === undefined) return null;
	const directory = await makeRunDirectory(places, run.runId, onNotice);
	const kept = copiedFiles(directory);
	if (kept !== null) return kept;
	const paths = await requireCopies(workflow, repository, run.baseCommit);
	onNotice?.(namedFew("copied into every checkout", paths));
	return await keepCopies(repository.root, paths, directory);
}
