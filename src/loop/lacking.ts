import { constants, existsSync, lstatSync } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { baselineStand } from "../evidence/baseline-stand.ts";
import { commitView } from "../evidence/commit-view.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { isTestFile } from "../evidence/integrity/test-files.ts";
import { isDependencies } from "../evidence/kept-setups/kept-setups.ts";
import { type KeptLimits, listTree } from "../evidence/kept-setups/listing.ts";
import { type NamingText, namedPaths } from "../evidence/named-paths.ts";
import { rootsOf } from "../evidence/read-outcome.ts";
import { runSuite } from "../evidence/suite.ts";
import { uncountedOf } from "../evidence/uncounted.ts";
import { submodulesAt } from "../git/base-listing.ts";
import { treeOf } from "../git/changes.ts";
import { type Checkout, openCheckout } from "../git/checkout.ts";
import { kindOf } from "../git/file-tree.ts";
import { ignoredFiles } from "../git/ignored-files.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import type { Ground } from "./context.ts";
import type { GroundProblem } from "./ground-problems.ts";
import { type SetupGround, setUp } from "./prepare-checkout.ts";

type LackingGround = SetupGround & Pick<Ground, "read">;

type Lacking = Extract<GroundProblem, { kind: "lacking" }>;

/** The most of the user's ignored files that a copy is made of. Its digest is not used. */
const LIMITS: KeptLimits = { files: 200_000, bytes: 2 * 1_073_741_824 };

/** What editors, systems and tools keep for themselves: tests do not read it. Short on purpose: another one costs a run. */
const NO_INPUT =
	/(?:^|\/)(?:\.sparring|\.idea|\.vscode|\.DS_Store|coverage|\.nyc_output|__pycache__|\.[\w-]*cache|[^/]*\.(?:log|pyc|swp))(?:\/|$)/;

const known = keptAnswers<readonly Lacking[]>(4);

/**
 * Checks of the base commit with cases that fail or are skipped because the checkouts lack what the user's checkout has: files that
 * git ignores there, or a submodule. Told by a message that names one; else by a run in a copy of the commit with those files.
 */
export async function lackingProblems(
	context: LackingGround,
	start: string,
): Promise<readonly Lacking[]> {
	// Only the user's own commit can be compared with the user's checkout.
	if (start !== context.run.baseCommit) return [];
	const short = [...(await context.read.baseline()).values()].filter(isShort);
	if (short.length === 0) return [];
	return await known.of(context.vault, [start], "", async () => {
		const there = await onlyHere(context, start);
		if (there.length === 0) return [];
		const told = await namedBy(context, start, short, there);
		const unclear = short.filter(({ check }) => !told.some((each) => each.check === check));
		const tried = unclear.length === 0 ? [] : await tryWith(context, start, unclear, there);
		return [...told, ...tried];
	});
}

/** A missing program is told anyway. */
const isShort = (piece: Evidence): boolean =>
	(piece.status !== "pass" || (piece.counts?.skipped ?? 0) > 0) &&
	baselineStand(piece) !== "could_not_run";

/** Paths as git tells them, a folder with a slash at its end. */
async function onlyHere({ vault, places }: LackingGround, start: string): Promise<string[]> {
	const { root } = vault.repository;
	const ignored = await ignoredFiles(vault.repository, { folders: true });
	const submodules = await submodulesAt(vault.repository, start);
	const filled: string[] = [];
	for (const path of submodules) {
		const [here, there] = [join(root, path), join(places.checks.dir, path)];
		if (!(await isEmpty(here)) && (await isEmpty(there))) filled.push(`${path}/`);
	}
	return [...ignored.filter((path) => !NO_INPUT.test(path)), ...filled];
}

const isEmpty = async (folder: string): Promise<boolean> =>
	(await readdir(folder).catch(() => [])).length === 0;

/** Checks whose messages or output name one of the paths, which their checkout lacks. */
async function namedBy(
	context: LackingGround,
	start: string,
	short: readonly Evidence[],
	there: readonly string[],
): Promise<Lacking[]> {
	const { places, vault } = context;
	const { root } = vault.repository;
	const { dir } = places.checks;
	const found = short.map(async (piece) => {
		const failures = (piece.cases ?? []).flatMap(({ message }) => message ?? []);
		const texts = [piece.outputTail, ...failures].map((text) => ({ text }));
		const lacked = [...namedPaths(texts, [...rootsOf(dir), root])].filter(
			// A plain word says too little.
			(path) => /[./]/.test(path) && existsSync(join(root, path)) && !existsSync(join(dir, path)),
		);
		const paths = there.filter((path) => lacked.some((each) => isWithin(each, path)));
		const named = uncountedCases(piece);
		return paths.length === 0 ? [] : [await problemOf(context, start, { piece, named }, paths)];
	});
	return (await Promise.all(found)).flat();
}

interface ShortCases {
	readonly piece: Evidence;
	readonly named: readonly string[];
}

const isWithin = (path: string, there: string): boolean =>
	path === there.replace(/\/$/, "") || (there.endsWith("/") && path.startsWith(there));

const uncountedCases = (piece: Evidence): readonly string[] => {
	const { failing = [], skipped = [] } = uncountedOf(piece) ?? {};
	return [...failing, ...skipped];
};

/** Checks of which more passes in a fresh checkout with the files of the user's checkout than in one without. */
async function tryWith(
	context: LackingGround,
	start: string,
	short: readonly Evidence[],
	there: readonly string[],
): Promise<Lacking[]> {
	const { vault, places } = context;
	const { root } = vault.repository;
	const checkout = openCheckout(vault, {
		dir: join(places.work, "whole"),
		indexFile: join(places.work, "index-whole"),
	});
	try {
		const added: string[] = [];
		const whole = await runShort(context, { start, short, checkout }, async () => {
			const absent = there.filter((path) => !existsSync(join(checkout.dir, path)));
			added.push(...(await affordable(root, absent)));
			for (const path of added) await copyHere(join(root, path), join(checkout.dir, path));
			return added.length > 0;
		});
		const better = short.filter((piece) => isBetter(whole.get(piece.check), piece));
		if (better.length === 0) return [];
		await checkout.remove();
		// What passes now and then needs no file.
		const bare = await runShort(context, { start, short: better, checkout }, async () => true);
		const proven = better.filter((piece) =>
			isBetter(whole.get(piece.check), bare.get(piece.check) ?? piece),
		);
		return await Promise.all(
			proven.map(async (piece) => {
				const now = new Set(passedIn(whole.get(piece.check)));
				const cases = uncountedCases(piece);
				const helped = cases.filter((id) => now.has(id));
				const named = helped.length === 0 ? cases : helped;
				const paths = await likely(context, start, { piece, named }, added);
				return await problemOf(context, start, { piece, named }, paths);
			}),
		);
	} finally {
		await checkout.remove();
	}
}

const passedIn = (piece: Evidence | undefined): string[] =>
	(piece?.cases ?? []).filter(({ status }) => status === "passed").map(({ id }) => id);

function isBetter(now: Evidence | undefined, before: Evidence): boolean {
	if (now === undefined) return false;
	const [passes, passed] = [passedIn(now), new Set(passedIn(before))];
	const short = new Set(uncountedCases(before));
	if (passes.some((id) => short.has(id) && !passed.has(id))) return true;
	if (now.status === "pass" && before.status !== "pass") return true;
	return (now.counts?.passed ?? 0) > (before.counts?.passed ?? 0);
}

/** Runs checks on the start commit in a checkout of their own. What they print may hold anything: none of it is kept. */
async function runShort(
	context: LackingGround,
	{
		start,
		short,
		checkout,
	}: { readonly start: string; readonly short: readonly Evidence[]; readonly checkout: Checkout },
	complete: () => Promise<boolean>,
): Promise<ReadonlyMap<string, Evidence>> {
	const { workflow, places, run, task, masker, host, signal } = context;
	const prepared = await setUp(context, { checkout, name: "whole", commit: start });
	if (prepared.status !== "pass" || !(await complete())) return new Map();
	const wanted = new Set(short.map(({ check }) => check));
	const evidence = await runSuite(
		{
			place: {
				checkout,
				tmpRoot: `${places.work}/tmp/whole`,
				env: context.environment([]),
				mark: `${run.runId}:${task.id}:whole:`,
				masker,
				blobs: { put: async () => undefined },
				outputs: "",
				host,
			},
			commit: start,
			tree: await treeOf(context.vault, start),
			view: commitView(context.vault, start, start),
			purpose: "baseline",
			checks: workflow.checks.filter(({ name }) => wanted.has(name)),
			setup: workflow.setup,
			prepare: async () => prepared,
			setupChanged: false,
			baseline: new Map(),
			attempt: 0,
			onEvidence: async () => undefined,
		},
		signal,
	);
	return new Map(evidence.map((piece) => [piece.check, piece]));
}

/** Those of the paths that can be copied; none where they are too large together. */
async function affordable(root: string, paths: readonly string[]): Promise<string[]> {
	const fitting: string[] = [];
	let bytes = 0;
	for (const path of paths) {
		const full = join(root, path);
		const found = path.endsWith("/")
			? await listTree(full, LIMITS).catch(() => null)
			: { bytes: lstatSync(full).size };
		if (found === null) continue;
		if (!("bytes" in found)) continue;
		bytes += found.bytes;
		if (bytes > LIMITS.bytes) return [];
		fitting.push(path);
	}
	return fitting;
}

async function copyHere(from: string, to: string): Promise<void> {
	const isPlain = (path: string): boolean => {
		const kind = kindOf(path);
		return kind !== "other" && basename(path) !== ".git";
	};
	await cp(from, to, {
		recursive: true,
		verbatimSymlinks: true,
		mode: constants.COPYFILE_FICLONE,
		filter: isPlain,
	});
}

/** Of the paths that were missing those that the tests name; where they name none, all but what is installed. */
async function likely(
	{ vault }: LackingGround,
	start: string,
	{ piece, named }: ShortCases,
	added: readonly string[],
): Promise<readonly string[]> {
	const view = commitView(vault, start, start);
	const files = [...(await view.files())].filter(
		(path) =>
			isTestFile(path) || named.some((id) => id.includes(path)) || piece.outputTail.includes(path),
	);
	const leaves = named.map((id) => id.split(/ > |::/).at(-1) ?? id);
	const texts: NamingText[] = [...(await view.texts(files))]
		.filter(
			([path, text]) =>
				leaves.some((leaf) => text.includes(leaf)) || named.some((id) => id.includes(path)),
		)
		.map(([file, text]) => ({ file, text }));
	const words = [...namedPaths(texts, [])];
	const told = added.filter((path) => words.some((word) => isWithin(word, path)));
	if (told.length > 0) return told;
	const others = added.filter((path) => !isDependencies([path]));
	return others.length === 0 ? added : others;
}

async function problemOf(
	{ vault }: LackingGround,
	start: string,
	{ piece: { check }, named: cases }: ShortCases,
	paths: readonly string[],
): Promise<Lacking> {
	const known = new Set((await submodulesAt(vault.repository, start)).map((path) => `${path}/`));
	const submodules = paths.filter((path) => known.has(path));
	const ignored = paths.filter((path) => !known.has(path));
	const installs = ignored.filter((path) => isDependencies([path]));
	const copies = ignored.filter((path) => !installs.includes(path));
	return { kind: "lacking", check, cases, copies, installs, submodules };
}
