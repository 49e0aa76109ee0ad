import { constants, existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { cp, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { baselineStand } from "../checks/baseline-stand.ts";
import { runSuite } from "../checks/suite.ts";
import { idsOf, shortCases } from "../checks/uncounted.ts";
import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { treeOf } from "../git/changes.ts";
import { openCheckout } from "../git/checkout.ts";
import { kindOf, removeTree } from "../git/file-tree.ts";
import { ignoredFiles } from "../git/ignored-files.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import { attempt } from "../kernel/attempt.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import { Fault } from "../kernel/fault.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { FOLDERS } from "../process/own-home.ts";
import { isDependencies } from "../setups/kept/kept-setups.ts";
import { listTree } from "../setups/kept/listing.ts";
import { suitePlace } from "./check-suite.ts";
import type { GroundProblem } from "./ground-problems.ts";
import { judgingVault } from "./judging-vault.ts";
import { setUp } from "./prepare-checkout.ts";
import { BASELINE_TURN, type Stand } from "./stand.ts";
import { whatIsLacking } from "./what-is-lacking.ts";

type Found = Extract<GroundProblem, { kind: "lacking" | "untried" }>;

const LIMITS = { files: 200_000, bytes: 2 * 1_073_741_824 };

/** Files that editors, systems and tools keep for themselves. Short on purpose: another one is copied for nothing. */
const NO_INPUT =
	/(?:^|\/)(?:\.sparring|\.idea|\.vscode|\.DS_Store|coverage|\.nyc_output|__pycache__|\.[\w-]*cache|[^/]*\.(?:log|pyc|swp))(?:\/|$)/;

const known = keptAnswers<readonly Found[]>(4);

/**
 * Runs what is red or skipped on the user's own commit once more where the user works: with all variables of the user's
 * shell, the user's home and the files that git ignores, in a copy. What is green there lacks something in the checkouts;
 * what is red there too is known failing, and that is kept.
 *
 * @param start any other commit than the user's is not run there
 */
export async function surroundingsProblems(
	ground: Stand,
	start: string,
): Promise<readonly Found[]> {
	if (start !== ground.run.baseCommit) return [];
	const short = (await ground.evidence.ofBase()).filter(isShort);
	if (short.length === 0) return [];
	return await known.of(ground.vault, [start], "", () => tried(ground, start, short));
}

const isShort = (piece: Evidence): boolean =>
	(piece.status !== "pass" || (piece.counts?.skipped ?? 0) > 0) &&
	piece.results === undefined &&
	["told", "silent"].includes(baselineStand(piece));

async function tried(ground: Stand, start: string, short: readonly Evidence[]): Promise<Found[]> {
	const here = (await ignoredFiles(ground.vault.repository, { folders: true })).filter(
		(path) => !NO_INPUT.test(path),
	);
	const before = around(ground, here);
	const open = await unknownOf(ground, short, before);
	if (open.length === 0) return [];
	const there = await runTrial(ground, start, { short: open, files: here });
	if ("why" in there) return open.map(({ check }) => ({ kind: "untried", check, why: there.why }));
	const lacks = await lackingIn(ground, start, open, there);
	const after = around(ground, here);
	const found: Found[] = [];
	for (const piece of open) {
		const now = there.evidence.get(piece.check);
		const why = lacks.includes(piece) ? null : untriedBecause(now, there.left);
		if (lacks.includes(piece)) {
			const cases = shortCases(piece).filter((id) => !shortOf(now).has(id));
			found.push(await whatIsLacking(ground, { start, piece, cases, added: there.added }));
		} else if (why !== null) found.push({ kind: "untried", check: piece.check, why });
		else await ground.bases.keepRedThere(redThere(piece, after));
	}
	return found;
}

async function unknownOf(
	{ bases }: Stand,
	short: readonly Evidence[],
	surroundings: string,
): Promise<Evidence[]> {
	const open: Evidence[] = [];
	for (const piece of short)
		if (!(await bases.isRedThere(redThere(piece, surroundings)))) open.push(piece);
	return open;
}

async function lackingIn(
	ground: Stand,
	start: string,
	open: readonly Evidence[],
	there: Tried,
): Promise<Evidence[]> {
	const greener = open.filter((piece) => isGreener(there.evidence.get(piece.check), piece));
	if (greener.length === 0) return [];
	// What passes now and then lacks nothing.
	const again = await runTrial(ground, start, { short: greener, files: null });
	const second = "evidence" in again ? again.evidence : new Map<string, Evidence>();
	return greener.filter((piece) =>
		isGreener(there.evidence.get(piece.check), second.get(piece.check) ?? piece),
	);
}

function untriedBecause(now: Evidence | undefined, left: readonly string[]): string | null {
	if (now === undefined || !hasValue(now.status)) return now?.reason ?? "no result";
	return left.length > 0 ? `too large to copy: ${left.join(", ")}` : null;
}

const shortOf = (piece: Evidence | undefined): ReadonlySet<string> =>
	new Set(piece === undefined ? [] : shortCases(piece));

function isGreener(there: Evidence | undefined, here: Evidence): boolean {
	const passed = new Set(idsOf(there?.cases ?? null, "passed"));
	return shortCases(here).some((id) => passed.has(id)) || passedIn(there) > passedIn(here);
}

function passedIn(piece: Evidence | undefined): number {
	return piece?.counts?.passed ?? (piece?.status === "pass" ? 1 : 0);
}

// Skipping does not depend on the product as failing does: a new base alone is no reason to look again.
function redThere(piece: Evidence, surroundings: string): unknown {
	const { check, definition, status, tree } = piece;
	const isRed = status !== "pass" || (piece.cases ?? []).some((one) => one.status === "failed");
	return { check, definition, tree: isRed ? tree : null, cases: shortCases(piece), surroundings };
}

// Something installed or signed in to brings a folder or a hidden file; other files come and go.
const settledIn = (path: string): string[] =>
	readdirSync(path, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() || entry.name.startsWith("."))
		.map(({ name }) => name)
		.sort();

/** Digest of what can be seen of the user's surroundings at once; files deep in a home cannot. */
function around({ vault, userEnvironment }: Stand, here: readonly string[]): string {
	// Those of Sparring are other ones in each run.
	const env = Object.entries(userEnvironment()).filter(([name]) => !name.startsWith("SPAR_"));
	const { HOME: home = "" } = userEnvironment();
	const names = ["", ...Object.values(FOLDERS)].map((folder) =>
		attempt(() => settledIn(join(home, folder)), []),
	);
	const files = here.map((path) => {
		const stat = attempt(() => lstatSync(join(vault.repository.root, path)), null);
		return stat?.isFile() === true ? [path, stat.size, stat.mtimeMs] : [path];
	});
	return sha256(canonicalJson({ env, names, files }));
}

interface Trial {
	readonly short: readonly Evidence[];
	/** Ignored files of the user, who works there; null: as in any other checkout. */
	readonly files: readonly string[] | null;
}

interface Tried {
	readonly evidence: ReadonlyMap<string, Evidence>;
	readonly added: readonly string[];
	/** Ignored files that are too large. */
	readonly left: readonly string[];
}

/** Runs checks of a commit once more, in a checkout that is made for it. */
export async function runTrial(
	ground: Stand,
	start: string,
	trial: Trial,
): Promise<Tried | { readonly why: string }> {
	const { places, run, vault } = ground;
	// Alone in its folder, with its home.
	const folder = join(places.work, "trial");
	const dir = join(folder, `trial-${run.runId}`);
	const own = trial.files === null ? judgingVault(ground, run.baseCommit) : vault;
	const checkout = openCheckout(own, { dir, indexFile: join(places.work, "index-trial") });
	try {
		return await runIn(ground, start, { ...trial, checkout });
	} catch (error) {
		// Nobody's work depends on it.
		if (!(error instanceof Fault) || ground.signal.aborted) throw error;
		return { why: error.message };
	} finally {
		await checkout.remove();
		await removeTree(folder);
	}
}

async function runIn(
	ground: Stand,
	start: string,
	{ short, files, checkout }: Trial & { readonly checkout: ReturnType<typeof openCheckout> },
): Promise<Tried | { readonly why: string }> {
	const { workflow, vault } = ground;
	const prepared = await setUp(ground, { checkout, name: "trial", commit: start });
	if (prepared.status !== "pass") return { why: prepared.reason ?? "the setup failed" };
	const brought = await addMissing(vault.repository.root, checkout.dir, files ?? []);
	const place = suitePlace(ground, checkout, BASELINE_TURN, "trial");
	const theirs = {
		home: null,
		env: ground.userEnvironment(),
		// What is printed there may hold what no masker knows.
		blobs: { put: async () => undefined },
	};
	const suite = {
		place: files === null ? place : { ...place, ...theirs },
		commit: start,
		tree: await treeOf(vault, start),
		purpose: "baseline",
		checks: workflow.checks.filter(({ name }) => short.some(({ check }) => check === name)),
		setup: workflow.setup,
		variant: await ground.bases.variant(),
		prepare: async (again: boolean) => {
			if (again) await checkout.putCopies();
			return prepared;
		},
		setupChanged: false,
		baseline: new Map(),
		// Beside the output of the first run.
		attempt: 1,
		onRun: async ({ run }: RunDefinition) => ground.onStep?.({ name: "trial", run, baseMs: null }),
		onEvidence: async () => undefined,
	} as const;
	const evidence = await runSuite(suite, ground.signal);
	return { ...brought, evidence: new Map(evidence.map((piece) => [piece.check, piece])) };
}

async function addMissing(
	root: string,
	dir: string,
	here: readonly string[],
): Promise<Pick<Tried, "added" | "left">> {
	const added: string[] = [];
	const left: string[] = [];
	let bytes = LIMITS.bytes;
	const inOrder = here.toSorted(
		(a, b) => Number(isDependencies([a])) - Number(isDependencies([b])),
	);
	for (const path of inOrder) {
		const [from, to] = [join(root, path), join(dir, path)];
		if (existsSync(to)) continue;
		const size = await sizeOf(from).catch(() => 0);
		if (size === null || size > bytes) {
			left.push(path);
			continue;
		}
		bytes -= size;
		await copyOne(root, from, to).then(
			() => added.push(path),
			// What nobody may read helps no test.
			() => undefined,
		);
	}
	return { added, left };
}

async function copyOne(root: string, from: string, to: string): Promise<void> {
	const filter = (each: string): boolean => kindOf(each) !== "other" && basename(each) !== ".git";
	const mode = constants.COPYFILE_FICLONE;
	// From its new place a link that leaves the checkout would lead elsewhere.
	const target = kindOf(from) === "link" ? realpathSync(from) : root;
	if (!`${target}/`.startsWith(`${realpathSync(root)}/`)) return await symlink(target, to);
	await cp(from, to, { recursive: true, verbatimSymlinks: true, mode, filter });
}

async function sizeOf(path: string): Promise<number | null> {
	if (kindOf(path) !== "directory") return lstatSync(path).size;
	return (await listTree(path, LIMITS))?.bytes ?? null;
}
