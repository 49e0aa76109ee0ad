import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { requireCopies } from "../drive/copies.ts";
import { keptEvidence } from "../drive/kept-evidence.ts";
import { isRunning } from "../drive/leftovers.ts";
import { setupsOf } from "../drive/setups-of.ts";
import { withBase } from "../git/base-vault.ts";
import { changedTexts } from "../git/changed-texts.ts";
import { treeOf } from "../git/changes.ts";
import { openCheckout } from "../git/checkout.ts";
import { copiedFiles, keepCopies } from "../git/copied-files.ts";
import { removeTree } from "../git/file-tree.ts";
import { keepChildren } from "../git/kept-children.ts";
import { openRepository, type Repository, withOwnObjects } from "../git/repository.ts";
import { userIgnores } from "../git/user-ignores.ts";
import { openVault, type Vault } from "../git/vault.ts";
import { systemClock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { definedHere, isPlain, takeBaseline } from "../loop/check-suite.ts";
import { FirstAlone } from "../loop/context.ts";
import { copiedSecrets } from "../loop/copied-secrets.ts";
import { compareTrees, judgePorts, judgeTree } from "../loop/judge-tree.ts";
import { judgingVault } from "../loop/judging-vault.ts";
import { servesAlike } from "../loop/prepare-checkout.ts";
import { taskLog } from "../loop/records/task-log.ts";
import { sidesAt } from "../loop/replay.ts";
import type { Stand } from "../loop/stand.ts";
import { homeOutside } from "../places/checkouts-home.ts";
import { checkoutDirectory, gitHost, type Places } from "../places/places.ts";
import { maskerOf } from "../places/secrets.ts";
import type { ProcessHost } from "../process/process.ts";
import { endMarked } from "../process/process-tree.ts";
import { requireTemporary } from "../process/temporary.ts";
import { requiredOf } from "../review/effective-verdict.ts";
import { PORT_BASE, portBaseOf } from "../seats/port-base.ts";
import { withLazyHost } from "../seats/with-host.ts";
import { IN_CHECK } from "../setups/execution.ts";
import { removeLeftTemporaries } from "../setups/own-temporary.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { Allowance, Workflow } from "../workflow/workflow.ts";
import type { CheckAllowance } from "./check-allowance.ts";
import { CheckRecords } from "./check-records.ts";
import { type CheckReport, checkReport, requireResults, type WorkReview } from "./check-report.ts";
import { type JudgingWorkflow, judgingWorkflow, requireAgent } from "./judging-workflow.ts";
import { onceForSame } from "./same-work.ts";
import { noteStart, type SessionStart } from "./session-start.ts";
import {
	lastCommits,
	messagesOf,
	type Subject,
	type SubjectRequest,
	sessionStart,
	subjectOf,
	supposedStart,
} from "./subject.ts";
import { surroundingsOf, tellWritten } from "./surroundings.ts";

/** Work to check, and by what. */
export interface CheckOptions extends SubjectRequest {
	/** Command that runs the tests, instead of those of the workflow file. */
	readonly command?: string | undefined;
	readonly allow?: readonly CheckAllowance[] | undefined;
	/** Runs nothing, and judges by the trees alone. */
	readonly quick?: boolean | undefined;
	/** The task in words: values in it are no secrets of the tests. */
	readonly task?: string | undefined;
	/** Agent of the workflow, or a coding agent, that looks for what is wrong. */
	readonly coach?: string | undefined;
	/** Likewise, one that writes tests of its own. */
	readonly verifier?: string | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly onNotice?: ((text: string) => void) | undefined;
}

export interface CheckPlace {
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Agents that the calling program serves, by name. */
	readonly values: Readonly<Record<string, unknown>>;
	/** Has agents review work that no check and no comparison is against; left out: nobody reviews. */
	readonly review?: (work: ReviewedWork) => Promise<WorkReview>;
}

/** Work that agents review. */
export interface ReviewedWork extends Pick<Subject, "base" | "commit"> {
	readonly workflow: Workflow;
	readonly repository: Repository;
	/** Titles and texts of its commits. */
	readonly message: string;
	/** Absolute directory that goes with the check. */
	readonly directory: string;
}

const TASK = "check";
const TURN = 1;
const MAX_TEXTS = 4_000_000;

/** A check while it works: its own directory, and the vault through which it reads. */
interface Bench extends Omit<CheckPlace, "directory"> {
	readonly options: CheckOptions;
	readonly runId: string;
	/** Directory of all checks of the repository. */
	readonly home: string;
	readonly directory: string;
	readonly vault: Vault;
	readonly signal: AbortSignal;
}

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
	/** What `checkWork` would judge; a text: the reason for which that is nothing. */
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

async function atBench<T>(
	options: CheckOptions,
	place: CheckPlace,
	work: (bench: Bench) => Promise<T>,
): Promise<T> {
	await requireTemporary();
	const { env, places } = place;
	const opened = await openRepository(place.directory, gitHost(env));
	const home = await homeOutside(places);
	await removeLeft(home);
	// Also marks its processes.
	const runId = `check-${process.pid}-${randomId(8)}`;
	const directory = join(home, runId);
	const kept = keepChildren();
	const signal = options.signal ?? new AbortController().signal;
	try {
		await mkdir(join(directory, TASK), { recursive: true });
		const repository = { ...withOwnObjects(opened, directory), kept };
		const ignoreRules = (await userIgnores(repository)).rules;
		const mark = `${runId}:git`;
		const vault = await openVault(repository, directory, { ignoreRules, signal, mark, kept });
		return await work({ ...place, options, runId, home, directory, vault, signal });
	} finally {
		await kept.end();
		await endMarked(`${runId}:`);
		await removeLeftTemporaries(directory);
		await removeTree(directory);
	}
}

// Of a check that was killed.
async function removeLeft(home: string): Promise<void> {
	for (const name of await readdir(home)) {
		const pid = /^check-(\d+)-[0-9a-z]+$/.exec(name)?.[1];
		if (pid === undefined || isRunning(Number(pid))) continue;
		await endMarked(`${name}:`);
		await removeLeftTemporaries(join(home, name));
		await removeTree(join(home, name));
	}
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
	const { options, directory, vault: plain, env, places, values } = bench;
	const { repository } = plain;
	const base = { baseBranch: repository.headBranch ?? "main", baseCommit: subject.base };
	const bare = await withBase(plain, base);
	const checkout = options.quick === true ? null : checkoutAt({ ...bench, vault: bare }, "checks");
	const place = { vault: bare, env, checkout, valueAgents: Object.keys(values) };
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

const checkoutAt = ({ directory, vault, places }: Bench, name: string) => {
	const work = join(directory, TASK);
	const dir = checkoutDirectory(places, work, name);
	return openCheckout(vault, { dir, indexFile: join(work, `index-${name}`) });
};

interface Found {
	readonly host: ProcessHost;
	readonly subject: Subject;
	readonly judging: JudgingWorkflow;
}

async function judgedIn(bench: Bench, found: Found): Promise<CheckReport> {
	const { options, vault } = bench;
	const { subject, judging } = found;
	const { base, commit } = subject;
	const stand = await standOf(bench, found);
	const pair = { start: base, commit, embedded: [] };
	const result =
		options.quick === true ? await compared(stand, pair) : await ran(stand, pair, bench);
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
	return maskAllButNames(stand.masker, report);
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
	{ subject: { base, commit, isOwn }, judging: { workflow } }: Found,
	{ evidence, integrity }: Pick<Result, "evidence" | "integrity">,
): Promise<WorkReview | null> {
	const isRed = requiredOf(evidence, []).failed.length > 0 || integrity.violations.length > 0;
	if (review === undefined || isRed || (coach ?? verifier) === undefined) return null;
	const { repository } = vault;
	const message = isOwn ? "" : await messagesOf(repository, base, commit);
	return await review({ base, commit, workflow, repository, message, directory });
}

type Pair = Parameters<typeof judgeTree>[1];
type Result = Pick<
	Parameters<typeof checkReport>[0],
	"tree" | "baseline" | "evidence" | "integrity" | "restored"
>;

async function compared(stand: Stand, pair: Pair): Promise<Result> {
	const { commits } = judgePorts(stand);
	const sides = await sidesAt(stand, pair.start);
	// No run tells of any of them.
	const unproven = new Set(sides.tests.keys());
	const silent = { baseline: [], now: [], replayed: { sides, holds: false, unproven } };
	const integrity = await compareTrees({ facts: stand, commits }, pair, silent);
	const tree = await commits.treeOf(pair.commit);
	return { tree, baseline: new Map(), evidence: [], integrity, restored: [] };
}

// The base, the work, and then the base's own tests on it with tests that must fail, as before a merge.
async function ran(stand: Stand, pair: Pair, { options }: Bench): Promise<Result> {
	const { start, commit } = pair;
	const { onNotice = () => undefined } = options;
	const { setup, checks } = stand.workflow;
	const names = checks.map(({ run }) => run).join("; ");
	if (setup.length > 0) onNotice(`each checkout: ${setup.join("; ")}`);
	if (await lacksBaseline(stand, start)) onNotice(`base ${start.slice(0, 10)}: ${names}`);
	await takeBaseline(stand, start);
	// The base's setup would be taken for that of the work.
	const { checks: place } = stand.places;
	if (existsSync(place.dir) && !(await servesAlike(stand, place, start))) await place.remove();
	const ports = judgePorts(stand, "assembled");
	onNotice(`work: ${names}`);
	const result = await judgeTree({ ...ports, ...stand, facts: stand }, pair);
	const { baseline, checked, replayed, integrity, tree } = result;
	requireResults(checked, baseline);
	const isRed = requiredOf(checked, []).failed.length > 0 || integrity.violations.length > 0;
	const restored = replayed.plan?.restored ?? [];
	const judgement = { tree, baseline, integrity, restored };
	if (isRed) return { ...judgement, evidence: [...checked, ...replayed.evidence] };
	onNotice("the base's tests on the work");
	const stored = [...checked, ...replayed.evidence];
	const whole = await ports.checks.replay({ commit, start, baseline, stored, early: false });
	for (const piece of checked.filter(isPlain)) await stand.bases.keep(piece);
	return { ...judgement, evidence: [...checked, ...whole.evidence] };
}

async function lacksBaseline(stand: Stand, start: string): Promise<boolean> {
	const tree = await treeOf(stand.vault, start);
	const known = await Promise.all(
		stand.workflow.checks.map(async (check) =>
			stand.bases.find(tree, await definedHere(stand, check)),
		),
	);
	return known.includes(undefined);
}

async function standOf(bench: Bench, { host, subject, judging }: Found): Promise<Stand> {
	const { options, runId, home, directory, vault, env, signal } = bench;
	const { workflow } = judging;
	const { onNotice = () => undefined, allow = [] } = options;
	const records = new CheckRecords();
	const { environment, shown } = surroundingsOf(subject, env);
	const run = { runId, baseCommit: subject.base };
	const ports = { [PORT_BASE]: String(portBaseOf(runId, 0)) };
	const within = { ...bench, vault: judgingVault({ vault, workflow }, subject.base) };
	return {
		run,
		workflow,
		task: {
			id: TASK,
			description: options.task ?? "",
			acceptanceCriteria: [...(options.criteria ?? [])],
			allow: allow.filter((one): one is Allowance => !one.change.startsWith("s-")),
		},
		records,
		commit: records.commit,
		read: records.read(subject.base),
		log: taskLog({ runId, taskId: TASK }, { turn: TURN, node: TASK }, systemClock),
		state: { items: 0 },
		clock: systemClock,
		masker: maskerOf(env, workflow, copiedSecrets(vault.copied)),
		vault,
		signal,
		host,
		environment: (names) => ({ ...environment(names), ...ports }),
		shown,
		setups: setupsOf({ run, workflow, shelf: join(home, "setups"), env, signal, onNotice }),
		baselines: new FirstAlone(),
		bases: await keptEvidence(join(home, "evidence"), { run, workflow, env, signal, host, vault }),
		// What is made here goes with the check's own objects.
		refs: { keep: async () => undefined },
		blobs: { put: async () => undefined },
		places: {
			checks: checkoutAt(within, "checks"),
			clean: checkoutAt(within, "clean"),
			work: join(directory, TASK),
			outputs: "outputs",
		},
	};
}
