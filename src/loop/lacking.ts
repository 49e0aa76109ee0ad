import { constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { baselineStand } from "../checks/baseline-stand.ts";
import { builtFiles } from "../checks/built-files.ts";
import { rootsOf } from "../checks/read-outcome.ts";
import { runSuite } from "../checks/suite.ts";
import { shortCases } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { namedPaths } from "../evidence/named-paths.ts";
import { isTestFile } from "../evidence/test-files.ts";
import { commitView } from "../formats/commit-view.ts";
import { treeOf } from "../git/changes.ts";
import { openCheckout } from "../git/checkout.ts";
import { kindOf, removeTree } from "../git/file-tree.ts";
import { ignoredFiles } from "../git/ignored-files.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import { isDependencies } from "../setups/kept/kept-setups.ts";
import { listTree } from "../setups/kept/listing.ts";
import { suitePlace } from "./check-suite.ts";
import type { Ground } from "./context.ts";
import type { GroundProblem } from "./ground-problems.ts";
import { judgingVault } from "./judging-vault.ts";
import { setUp } from "./prepare-checkout.ts";
import { BASELINE_TURN } from "./records/task-reader.ts";

type Lacking = Extract<GroundProblem, { kind: "lacking" }>;

const LIMITS = { files: 200_000, bytes: 2 * 1_073_741_824 };

/** Files that editors, systems and tools keep for themselves. Short on purpose: what is not here costs a run. */
const NO_INPUT =
	/(?:^|\/)(?:\.sparring|\.idea|\.vscode|\.DS_Store|coverage|\.nyc_output|__pycache__|\.[\w-]*cache|[^/]*\.(?:log|pyc|swp))(?:\/|$)/;

/** Words in which programs say that a file is not there. Where they use others, a run decides. */
const ABSENT = /no such file|ENOENT|not found|(?:cannot|could not) (?:find|open|read)|missing/i;

const known = keptAnswers<readonly Lacking[]>(4);

// A message names the files; else the check is run in a copy of the commit with those that git ignores.
export async function lackingProblems(ground: Ground, start: string): Promise<readonly Lacking[]> {
	const { vault, places, run, read } = ground;
	// Only the user's own commit can be compared with the user's checkout.
	if (start !== run.baseCommit) return [];
	const short = [...(await read.baseline()).values()].filter(isShort);
	if (short.length === 0) return [];
	return await known.of(vault, [start], "", async () => {
		const { root } = vault.repository;
		const here = (await ignoredFiles(vault.repository, { folders: true })).filter(
			(path) => !NO_INPUT.test(path),
		);
		const tracked = await commitView(vault, start, start).files();
		const problem = (
			{ check }: Evidence,
			cases: readonly string[],
			paths: readonly string[],
		): Lacking => ({ kind: "lacking", check, cases, paths, by: remedyOf(root, paths, tracked) });
		const found: Lacking[] = [];
		const unclear: Evidence[] = [];
		for (const piece of short) {
			const named = here.filter((path) =>
				saidAbsent(piece, places.checks.dir, root).some((each) => isWithin(each, path)),
			);
			if (named.length === 0) unclear.push(piece);
			else found.push(problem(piece, shortCases(piece), named));
		}
		for (const { piece, cases, added } of await tryWith(ground, start, unclear, here)) {
			found.push(problem(piece, cases, await likely(ground, start, { piece, cases }, added)));
		}
		return found;
	});
}

function remedyOf(
	root: string,
	paths: readonly string[],
	tracked: ReadonlySet<string>,
): Lacking["by"] {
	const kinds = paths.map((path) => kindOf(join(root, path.replace(/\/$/, ""))));
	if (isDependencies(paths) || kinds.includes("link")) return "setup";
	const files = paths.flatMap((path, index) =>
		kinds[index] === "directory"
			? readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
			: [path],
	);
	return builtFiles(files, tracked).length > 0 ? "build" : "copy";
}

const isShort = (piece: Evidence): boolean =>
	(piece.status !== "pass" || (piece.counts?.skipped ?? 0) > 0) &&
	piece.results === undefined &&
	baselineStand(piece) !== "could_not_run";

const isWithin = (path: string, there: string): boolean =>
	path === there.replace(/\/$/, "") || (there.endsWith("/") && path.startsWith(there));

function saidAbsent({ cases, outputTail }: Evidence, checkout: string, root: string): string[] {
	const messages = (cases ?? []).flatMap(({ message }) => message ?? []);
	const lines = [outputTail, ...messages].flatMap((text) => text.split("\n"));
	return namedPaths(lines.filter((line) => ABSENT.test(line)).join("\n"), [
		...rootsOf(checkout),
		root,
	]).filter(
		(path) =>
			/[./]/.test(path) && existsSync(join(root, path)) && !existsSync(join(checkout, path)),
	);
}

interface Tried {
	readonly piece: Evidence;
	readonly cases: readonly string[];
	readonly added: readonly string[];
}

async function tryWith(
	ground: Ground,
	start: string,
	short: readonly Evidence[],
	here: readonly string[],
): Promise<Tried[]> {
	if (short.length === 0 || here.length === 0) return [];
	const whole = await runShort(ground, start, short, here);
	const better = short.filter(
		(piece) => passedIn(whole.evidence.get(piece.check)) > passedIn(piece),
	);
	if (better.length === 0) return [];
	// What passes now and then needs no file.
	const bare = await runShort(ground, start, better, []);
	return better.flatMap((piece) => {
		const now = whole.evidence.get(piece.check);
		if (passedIn(now) <= passedIn(bare.evidence.get(piece.check))) return [];
		const still = new Set(now === undefined ? [] : shortCases(now));
		const cases = shortCases(piece).filter((id) => !still.has(id));
		return [{ piece, cases, added: whole.added }];
	});
}

function passedIn(piece: Evidence | undefined): number {
	return piece?.counts?.passed ?? (piece?.status === "pass" ? 1 : 0);
}

async function runShort(
	ground: Ground,
	start: string,
	short: readonly Evidence[],
	here: readonly string[],
): Promise<{
	readonly evidence: ReadonlyMap<string, Evidence>;
	readonly added: readonly string[];
}> {
	const { workflow, places, run, vault } = ground;
	// Alone in its folder, with its home.
	const folder = join(places.work, "trial");
	const own = {
		dir: join(folder, `trial-${run.runId}`),
		indexFile: join(places.work, "index-trial"),
	};
	const checkout = openCheckout(judgingVault(ground, run.baseCommit), own);
	try {
		const prepared = await setUp(ground, { checkout, name: "trial", commit: start });
		const added = await addMissing(vault.repository.root, own.dir, here);
		if (prepared.status !== "pass" || (here.length > 0 && added.length === 0))
			return { evidence: new Map(), added };
		const evidence = await runSuite(
			{
				place: {
					...suitePlace(ground, checkout, BASELINE_TURN, "trial"),
					blobs: { put: async () => undefined },
				},
				commit: start,
				tree: await treeOf(vault, start),
				purpose: "baseline",
				checks: workflow.checks.filter(({ name }) => short.some(({ check }) => check === name)),
				setup: workflow.setup,
				variant: await ground.bases.variant(),
				prepare: async () => prepared,
				setupChanged: false,
				baseline: new Map(),
				attempt: 0,
				onEvidence: async () => undefined,
			},
			ground.signal,
		);
		return { evidence: new Map(evidence.map((piece) => [piece.check, piece])), added };
	} finally {
		await checkout.remove();
		await removeTree(folder);
	}
}

async function addMissing(root: string, dir: string, here: readonly string[]): Promise<string[]> {
	const added: string[] = [];
	let left = LIMITS.bytes;
	for (const path of here.toSorted(
		(a, b) => Number(isDependencies([a])) - Number(isDependencies([b])),
	)) {
		const [from, to] = [join(root, path), join(dir, path)];
		if (existsSync(to)) continue;
		const bytes = await sizeOf(from).catch(() => null);
		if (bytes === null || bytes > left) continue;
		left -= bytes;
		const filter = (each: string): boolean => kindOf(each) !== "other" && basename(each) !== ".git";
		const mode = constants.COPYFILE_FICLONE;
		await cp(from, to, { recursive: true, verbatimSymlinks: true, mode, filter }).then(
			() => added.push(path),
			// What nobody may read helps no test.
			() => undefined,
		);
	}
	return added;
}

async function sizeOf(path: string): Promise<number | null> {
	if (kindOf(path) !== "directory") return lstatSync(path).size;
	const found = await listTree(path, LIMITS);
	return "digest" in found ? found.bytes : null;
}

async function likely(
	{ vault }: Ground,
	start: string,
	{ piece, cases }: Pick<Tried, "piece" | "cases">,
	added: readonly string[],
): Promise<readonly string[]> {
	const view = commitView(vault, start, start);
	const isNamed = (path: string): boolean =>
		[piece.outputTail, ...cases].some((text) => text.includes(path));
	const files = [...(await view.files())].filter((path) => isTestFile(path) || isNamed(path));
	const leaves = cases.map((id) => id.split(/ > |::/).at(-1) ?? id);
	const words = [...(await view.texts(files))].flatMap(([file, text]) =>
		isNamed(file) || leaves.some((leaf) => text.includes(leaf)) ? namedPaths(text, [], file) : [],
	);
	const told = added.filter((path) => words.some((word) => isWithin(word, path)));
	const others = added.filter((path) => !isDependencies([path]));
	return [told, others, added].find((paths) => paths.length > 0) ?? [];
}
