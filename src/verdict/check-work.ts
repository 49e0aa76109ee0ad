import { existsSync } from "node:fs";
import { requireCopies } from "../drive/copies.ts";
import { withBase } from "../git/base-vault.ts";
import { changedTexts } from "../git/changed-texts.ts";
import { treeOf } from "../git/changes.ts";
import { copiedFiles, keepCopies } from "../git/copied-files.ts";
import { openRepository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { isPlain } from "../loop/check-suite.ts";
import { compareTrees, judgePorts, judgeTree } from "../loop/judge-tree.ts";
import { servesAlike } from "../loop/prepare-checkout.ts";
import { sidesAt } from "../loop/sides-at.ts";
import type { Stand } from "../loop/stand.ts";
import { gitHost } from "../places/places.ts";
import { requiredOf } from "../review/effective-verdict.ts";
import { withLazyHost } from "../seats/with-host.ts";
import { IN_CHECK } from "../setups/execution.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import { unsteadyIn } from "../wall/replay/unsteady.ts";
import type { Workflow } from "../workflow/workflow.ts";
import {
	atBench,
	type Bench,
	type CheckOptions,
	type CheckPlace,
	checkoutAt,
} from "./check-bench.ts";
import {
	type CheckReport,
	checkReport,
	isUnjudged,
	requireResults,
	type WorkReview,
} from "./check-report.ts";
import { type JudgedFrom, standOf } from "./check-stand.ts";
import { atRootHints, FOUND_IN_WORK, judgingWorkflow, requireAgent } from "./judging-workflow.ts";
import { surroundingsOf, tellWritten, usedByRed } from "./own-surroundings.ts";
import { onceForSame } from "./same-work.ts";
import { noteStart, type SessionStart } from "./session-start.ts";
import {
	lastCommits,
	messagesOf,
	type Subject,
	sessionStart,
	subjectOf,
	supposedStart,
} from "./subject.ts";
import { takeBase } from "./take-base.ts";

/**
 * Judges work that exists, as a run judges a turn and its merge. Nothing is left in the repository, and nothing outside but
 * evidence of the base and results of its setup.
 *
 * @throws Fault `nothing-to-check`; `usage` where there is nothing to check it with; the signal's reason
 */
export async function checkWork(options: CheckOptions, place: CheckPlace): Promise<CheckReport> {
	const { quick, coach, verifier } = options;
	requireOutside(place);
	if (quick === true && (coach ?? verifier) !== undefined)
		throw new Fault("--quick runs nothing, and agents would", {
			code: "usage",
			hint: "Leave out one of them.",
		});
	return await atBench(options, place, judged);
}

function requireOutside({ env }: CheckPlace): void {
	if (env[IN_CHECK] === undefined) return;
	throw new Fault("this is a command of a check, which began it: a check would begin it again", {
		code: "usage",
		hint: `Take \`spar check\` out of what the check runs. A test that checks another repository unsets ${IN_CHECK}.`,
	});
}

/** Work of a session, and where the session began. */
export interface SessionWork {
	readonly since: SessionStart;
	/** The place where it is now. */
	readonly here: SessionStart;
	/** Work that `checkWork` would judge; a text: the reason for which that is nothing. */
	readonly work: Pick<CheckReport, "base" | "tree"> | string;
}

/**
 * Finds what `checkWork` would judge for a session, and against which commit. Runs nothing.
 *
 * @param start of the session; null: nobody noted it
 * @param seen place where a session was last in this work tree; null: none was
 * @throws Fault `usage`
 */
export async function workOfSession(
	options: CheckOptions,
	place: CheckPlace,
	{ start, seen }: Readonly<Record<"start" | "seen", SessionStart | null>>,
): Promise<SessionWork> {
	return await atBench(options, place, async (bench) => {
		const here = await noteStart(bench.vault.repository);
		const since = start ?? (await supposedStart(bench, seen ?? here));
		const found = await subjectOf({ ...options, since }, bench).catch((error: unknown) => {
			if (error instanceof Fault && error.code === "nothing-to-check") return error.message;
			throw error;
		});
		if (typeof found === "string") return { since, here, work: found };
		const { base, commit } = found;
		return { since, here, work: { base, tree: await treeOf(bench.vault, commit) } };
	});
}

/**
 * The place at which a session begins now.
 *
 * @param pack absolute path for what is not committed
 */
export async function startOfSession(place: CheckPlace, pack: string): Promise<SessionStart> {
	return await atBench({}, place, (bench) => sessionStart(bench, pack));
}

/**
 * Judges the last commits of a branch, each against the one before it, the oldest first.
 *
 * @param onReport told of each as soon as it is judged
 */
export async function checkHistory(
	{ count, ...options }: Omit<CheckOptions, "base" | "staged" | "pr"> & { readonly count: number },
	place: CheckPlace,
	onReport: (report: CheckReport, title: string) => void,
): Promise<readonly CheckReport[]> {
	const repository = await openRepository(place.directory, gitHost(place.env));
	const tip = options.rev ?? "HEAD";
	const commits = await lastCommits(repository, tip, count);
	const reports: CheckReport[] = [];
	for (const { commit, title } of commits) {
		const report = await checkWork({ ...options, rev: commit, base: `${commit}^` }, place);
		onReport(report, title);
		reports.push(report);
	}
	return reports;
}

async function judged(bench: Bench): Promise<CheckReport> {
	const { options, vault, env } = bench;
	const { onNotice = () => undefined, signal: _, allow = [], ...asked } = options;
	const subject = await subjectOf(options, bench);
	const tree = await treeOf(vault, subject.commit);
	const seen = surroundingsOf(subject, env).environment([]);
	const work = { ...asked, allow, subject, tree, seen };
	const onWait = (): void => onNotice("another check of this work is under way: its result counts");
	return await onceForSame(work, { ...bench, onWait }, () => judgedAlone(bench, subject));
}

async function judgedAlone(bench: Bench, subject: Subject): Promise<CheckReport> {
	const { options, directory, below, vault: plain, env, places, values } = bench;
	const { repository } = plain;
	const base = { baseBranch: repository.headBranch ?? "main", baseCommit: subject.base };
	const bare = await withBase(plain, base);
	const checkout = options.quick === true ? null : checkoutAt({ ...bench, vault: bare }, "checks");
	const place = { vault: bare, env, checkout, below, valueAgents: Object.keys(values) };
	const found = await judgingWorkflow(subject, options.command, place);
	for (const name of [options.coach, options.verifier]) requireAgent(found.workflow, name);
	const workflow = subject.isForeign ? confined(found.workflow) : found.workflow;
	const judging = { ...found, workflow };
	const paths = await requireCopies(workflow, repository, subject.base);
	if (paths.length > 0) await keepCopies(repository.root, paths, directory);
	const vault = { ...bare, copied: copiedFiles(directory) };
	const asked = { workflow, env, repository, places, onNotice: options.onNotice };
	return await withLazyHost(asked, (host) =>
		judgedIn({ ...bench, vault }, { host, subject, judging }),
	);
}

// Where there is no sandbox, the host says so.
function confined(workflow: Workflow): Workflow {
	const { sandbox = { mode: "auto", allowHosts: [] } } = workflow;
	return sandbox.mode === "off"
		? { ...workflow, sandbox: { ...sandbox, mode: "auto" } }
		: { ...workflow, sandbox };
}

async function judgedIn(bench: Bench, found: JudgedFrom): Promise<CheckReport> {
	const { options, vault } = bench;
	const { subject, judging } = found;
	const { base, commit } = subject;
	const stand = await standOf(bench, found);
	const pair = { start: base, commit, embedded: [] };
	const result =
		options.quick === true ? await compared(stand, pair) : await ran(stand, pair, bench, found);
	const changed = await changedTexts(vault, base, commit, MAX_TEXTS);
	tellWritten(stand.shown, changed, options.onNotice);
	const review = await reviewOf(bench, found, result);
	const report = checkReport({
		review,
		subject: subject.label,
		unjudged: subject.unjudged,
		leftOut: subject.leftOut,
		base,
		baseIs: subject.baseIs,
		commit,
		changed,
		checksFrom: judging.from,
		ran: options.quick !== true,
		answers: options.allow ?? [],
		asked: wordsOf(options),
		...result,
	});
	const next = report.checks.some(isUnjudged)
		? [...report.next, ...hintsOf(bench, stand)]
		: report.next;
	return maskAllButNames(stand.masker, { ...report, next });
}

function wordsOf({ rev, staged, pr, since, base = since?.head, command }: CheckOptions): string[] {
	const named = Object.entries({ pr, base, command });
	return [
		...(rev === undefined ? [] : [shellWord(rev)]),
		...(staged === true ? ["--staged"] : []),
		...named.flatMap(([name, value]) =>
			value === undefined ? [] : [`--${name}`, shellWord(value)],
		),
	];
}

async function reviewOf(
	{ options: { coach, verifier }, review, vault, directory }: Bench,
	{ subject: { base, commit, isOwn }, judging: { workflow } }: JudgedFrom,
	{ evidence, integrity }: Pick<Result, "evidence" | "integrity">,
): Promise<WorkReview | null> {
	const isRed = requiredOf(evidence, []).failed.length > 0 || integrity.violations.length > 0;
	if (review === undefined || isRed || (coach ?? verifier) === undefined) return null;
	const { repository } = vault;
	const message = isOwn ? "" : await messagesOf(repository, base, commit);
	return await review({ base, commit, workflow, repository, message, directory });
}

const hintsOf = ({ below }: Bench, { workflow }: Stand): readonly string[] =>
	workflow.checks.slice(0, 1).flatMap(({ run }) => atRootHints(below, run));

const MAX_TEXTS = 4_000_000;

type Pair = Parameters<typeof judgeTree>[1];
type Result = Pick<
	Parameters<typeof checkReport>[0],
	"tree" | "baseline" | "evidence" | "integrity" | "restored" | "lacking"
>;

async function compared(stand: Stand, pair: Pair): Promise<Result> {
	const { commits } = judgePorts(stand);
	const sides = await sidesAt(stand, pair.start);
	// No run tells of any of them.
	const unproven = new Set(sides.tests.keys());
	const silent = { baseline: [], now: [], replayed: { sides, holds: false, unproven } };
	const integrity = await compareTrees({ facts: stand, commits }, pair, silent);
	const tree = await commits.treeOf(pair.commit);
	const none = { baseline: new Map(), evidence: [], restored: [], lacking: [] };
	return { ...none, tree, integrity };
}

// The base, the work, and then the base's own tests on it with tests that must fail, as before a merge.
async function ran(
	stand: Stand,
	pair: Pair,
	bench: Bench,
	{ subject, judging }: JudgedFrom,
): Promise<Result> {
	const { options } = bench;
	const { start, commit } = pair;
	const { onNotice = () => undefined } = options;
	// Somebody else's command is not the user's to run.
	const isForeign = subject.isForeign && judging.from === FOUND_IN_WORK;
	const lacking = await takeBase(stand, start, { ...options, isForeign });
	// The base's setup would be taken for that of the work.
	const { checks: place } = stand.places;
	if (existsSync(place.dir) && !(await servesAlike(stand, place, start))) await place.remove();
	const ports = judgePorts(stand, "assembled");
	onNotice(`work: ${stand.workflow.checks.map(({ run }) => run).join("; ")}`);
	const result = await judgeTree({ ...ports, ...stand, facts: stand }, pair);
	const { baseline, checked, replayed, integrity, tree } = result;
	requireResults(checked, baseline, hintsOf(bench, stand));
	const isRed = requiredOf(checked, []).failed.length > 0 || integrity.violations.length > 0;
	const restored = replayed.plan?.restored ?? [];
	const notes = [...integrity.notes, ...(await usedByRed(stand, pair, checked, baseline))];
	const judgement = { tree, integrity: { ...integrity, notes }, restored, lacking };
	const stored = [...checked, ...replayed.evidence];
	if (isRed) return { ...judgement, baseline, evidence: stored };
	onNotice("the base's tests on the work");
	const whole = await ports.checks.replay({ commit, start, baseline, stored, early: false });
	for (const piece of checked.filter(isPlain)) await stand.bases.keep(piece);
	const now = await stand.read.baseline();
	const suspicions = [...integrity.suspicions, ...unsteadyIn(whole.evidence)];
	const asked = { ...judgement.integrity, suspicions };
	const evidence = [...checked, ...whole.evidence];
	return { ...judgement, integrity: asked, baseline: now, evidence };
}
