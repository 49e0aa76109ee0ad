import { requireCopies } from "../drive/copies.ts";
import { refusing } from "../gate/ask-gate.ts";
import { withBase } from "../git/base-vault.ts";
import { changedTexts } from "../git/changed-texts.ts";
import { changesBetween, treeOf } from "../git/changes.ts";
import { copiedFiles, keepCopies } from "../git/copied-files.ts";
import { openRepository } from "../git/repository.ts";
import { judge, type Policy, type Verdict } from "../judge/judge.ts";
import type { Stand } from "../judge/stand.ts";
import { Fault } from "../kernel/fault.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { gitHost } from "../places/places.ts";
import { openLazyHost } from "../seats/with-host.ts";
import { IN_CHECK } from "../setups/execution.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import { lackingKinds } from "../workflow/gate-needs.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { allowanceText, answerTo, type CheckAllowance } from "./check-allowance.ts";
import {
	type Bench,
	type CheckOptions,
	type CheckPlace,
	checkoutAt,
	openBench,
} from "./check-bench.ts";
import {
	type CheckReport,
	checkReport,
	hasPlaces,
	isUnjudged,
	type JudgedReport,
	type WorkReview,
} from "./check-report.ts";
import { type JudgedFrom, standOf } from "./check-stand.ts";
import {
	asAsked,
	atRootHints,
	FOUND_IN_WORK,
	isAcceptance,
	judgingWorkflow,
	requireAgent,
} from "./judging-workflow.ts";
import { keepAllowances, keptAllowances } from "./kept-allowances.ts";
import { surroundingsOf, tellWritten, usedByRed } from "./own-surroundings.ts";
import { requireResults } from "./require-results.ts";
import { turnAtSame } from "./same-work.ts";
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
	const bench = await openBench(options, place);
	let report: JudgedReport;
	try {
		report = await judged(bench);
	} finally {
		await bench.close();
	}
	return { ...report, time: bench.watch.time() };
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
	const bench = await openBench(options, place);
	try {
		const here = await noteStart(bench.vault.repository);
		const since = start ?? (await supposedStart(bench, seen ?? here));
		const found = await subjectOf({ ...options, since }, bench).catch((error: unknown) => {
			if (error instanceof Fault && error.code === "nothing-to-check") return error.message;
			throw error;
		});
		if (typeof found === "string") return { since, here, work: found };
		const { base, commit } = found;
		return { since, here, work: { base, tree: await treeOf(bench.vault, commit) } };
	} finally {
		await bench.close();
	}
}

/**
 * The place at which a session begins now.
 *
 * @param pack absolute path for what is not committed
 */
export async function startOfSession(place: CheckPlace, pack: string): Promise<SessionStart> {
	const bench = await openBench({}, place);
	try {
		return await sessionStart(bench, pack);
	} finally {
		await bench.close();
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

async function judged(bench: Bench): Promise<JudgedReport> {
	const { options, vault, env, home } = bench;
	const {
		onNotice = () => undefined,
		onStep: _s,
		signal: _,
		allow: given = [],
		keepAllowed,
		...asked
	} = options;
	const subject = await subjectOf(options, bench);
	const tree = await treeOf(vault, subject.commit);
	const pair = [await treeOf(vault, subject.base), tree] as const;
	const kept = subject.isForeign ? [] : await keptAllowances(home, pair);
	const allow = [...given, ...kept];
	const seen = surroundingsOf(subject, env).environment([]);
	const work = { ...asked, allow, subject, tree, seen };
	const onWait = (): void => onNotice("another check of this work is under way: its result counts");
	const turn = await turnAtSame<JudgedReport>(work, { ...bench, onWait });
	const report =
		turn.given ?? (await judgedAlone({ ...bench, options: { ...options, allow } }, subject));
	if (turn.given === undefined) await turn.give(report);
	if (keepAllowed === true) await keepAllowances(home, pair, given.filter(isUsed(report)));
	return report;
}

/** Tells whether an allowance let something pass, or answers a suspicion, whose reason it became. */
const isUsed =
	({ allowed }: JudgedReport) =>
	({ reason }: CheckAllowance): boolean =>
		allowed.some((one) => one.reason === reason || one.reason.endsWith(`: ${reason}`));

async function judgedAlone(bench: Bench, subject: Subject): Promise<JudgedReport> {
	const { options, directory, below, vault: plain, env, places, values } = bench;
	const { repository } = plain;
	const base = { baseBranch: repository.headBranch ?? "main", baseCommit: subject.base };
	const bare = await withBase(plain, base);
	const checkout = options.quick === true ? null : checkoutAt({ ...bench, vault: bare }, "checks");
	const asksAgents = (options.coach ?? options.verifier) !== undefined;
	const valueAgents = Object.keys(values);
	const place = { vault: bare, env, checkout, below, valueAgents, asksAgents };
	const found = await judgingWorkflow(subject, options.command, place);
	for (const name of [options.coach, options.verifier]) requireAgent(found.workflow, name);
	const asIs = asAsked(found.workflow, options);
	const workflow = subject.isForeign ? confined(asIs) : asIs;
	requireTier(workflow);
	const judging = { ...found, workflow };
	const isCopied = workflow.copy !== undefined;
	const paths = isCopied ? await requireCopies(workflow, repository, subject.base) : [];
	if (paths.length > 0) await keepCopies(repository.root, paths, directory);
	const vault = { ...bare, copied: copiedFiles(directory) };
	const asked = { workflow, env, repository, places, onNotice: options.onNotice };
	const opened = openLazyHost(asked);
	try {
		return await judgedIn({ ...bench, vault }, { host: opened.host, subject, judging });
	} finally {
		await opened.close();
	}
}

// Where there is no sandbox, the host says so.
function confined(workflow: Workflow): Workflow {
	const { sandbox = { mode: "auto", allowHosts: [] } } = workflow;
	return sandbox.mode === "off"
		? { ...workflow, sandbox: { ...sandbox, mode: "auto" } }
		: { ...workflow, sandbox };
}

async function judgedIn(bench: Bench, found: JudgedFrom): Promise<JudgedReport> {
	const { options, vault } = bench;
	const { subject, judging } = found;
	const { base, commit } = subject;
	const { onNotice, quick = false } = options;
	const stand = await standOf(bench, found);
	// Somebody else's command is not the user's to run.
	const isForeign = subject.isForeign && judging.from === FOUND_IN_WORK;
	const how = { ...options, isForeign, asked: wordsOf(options) };
	const lacking = quick ? [] : await takeBase(stand, base, how);
	const pair = { start: base, commit, embedded: [] };
	const judged = await judge(stand, pair, policyOf(bench, judging.workflow));
	const { checks } = judging.workflow;
	const asked = wordsOf(options);
	const where = hintsOf(bench, stand);
	requireResults(judged.evidence, judged.baseline, { checks, asked, where });
	// Their texts are shown beside what is wrong, and searched for what was written.
	const isShown = hasPlaces(judged) || (stand.shown?.written.size ?? 0) > 0;
	const changed = isShown ? await changedTexts(vault, base, commit, MAX_TEXTS) : [];
	if (isShown) tellWritten(stand.shown, changed, onNotice);
	const files = (await changesBetween(vault, base, commit)).map(({ path }) => path);
	const message = subject.isOwn ? "" : await messagesOf(vault.repository, base, commit);
	const review = await reviewOf(bench, { ...found, message }, judged);
	const notes = await usedByRed(stand, pair, judged.evidence, judged.baseline);
	const report = checkReport({
		review,
		message,
		subject: subject.label,
		unjudged: subject.unjudged,
		leftOut: subject.leftOut,
		base,
		baseIs: subject.baseIs,
		commit,
		changed,
		files,
		checksFrom: judging.from,
		ran: !quick,
		byExitCode: !quick && checks.some((each) => isAcceptance(each) && isByExitCode(each)),
		answers: options.allow ?? [],
		asked,
		judged,
		notes,
		lacking,
	});
	const next = report.checks.some(isUnjudged) ? [...report.next, ...where] : report.next;
	return maskAllButNames(stand.masker, { ...report, next });
}

/**
 * Refuses a tier that no work can pass, as it would be laid to the work.
 *
 * @throws Fault `usage`
 */
function requireTier(workflow: Workflow): void {
	const tier = workflow.gatePolicy?.riskTier ?? "T0";
	const lacking = lackingKinds(tier, workflow);
	if (lacking.length === 0) return;
	throw new Fault(
		`a gate of tier ${tier} cannot pass: there is no ${lacking.join(", no ")} check`,
		{
			code: "usage",
			hint: `Add one to sparring.yaml, or say why not: waive: { ${lacking[0]}: "the reason" }`,
		},
	);
}

function policyOf({ options }: Bench, { waive = {}, gatePolicy }: Workflow): Policy {
	const { allow = [], quick = false } = options;
	const { riskTier: tier } = gatePolicy ?? { riskTier: "T0" };
	return {
		riskTier: tier,
		waive,
		runs: !quick,
		isAccepted: (one) =>
			// Whoever gave an allowance has looked at what it lets pass.
			one.rule === "allowed_change" || answerTo(one, allow) !== undefined,
	};
}

function wordsOf({ since, base = since?.head, timeoutMs, ...options }: CheckOptions): string[] {
	const { rev, staged, pr, command, exitCode, setup: given, task, coach, verifier } = options;
	const setup = given === false ? undefined : given;
	const timeout = timeoutMs === undefined ? undefined : `${timeoutMs / 1_000}s`;
	const named = Object.entries({ pr, base, command, setup, timeout, task, coach, verifier });
	const allowed = (options.allow ?? []).map(allowanceText);
	return [
		...(rev === undefined ? [] : [shellWord(rev)]),
		...(staged === true ? ["--staged"] : []),
		...(given === false ? ["--no-setup"] : []),
		...(exitCode === true ? ["--exit-code"] : []),
		...(options.quick === true ? ["--quick"] : []),
		...(options.anyway === true ? ["--anyway"] : []),
		...named.flatMap(([name, value]) =>
			value === undefined ? [] : [`--${name}`, shellWord(value)],
		),
		...allowed.flatMap((text) => ["--allow", shellWord(text)]),
	];
}

async function reviewOf(
	{ options: { coach, verifier }, review, directory, vault: { repository }, watch }: Bench,
	{ subject: { base, commit }, judging: { workflow }, message }: JudgedFrom & { message: string },
	judged: Verdict,
): Promise<WorkReview | null> {
	const isRed = refusing(judged).length > 0;
	if (review === undefined || isRed || (coach ?? verifier) === undefined) return null;
	return await watch.ofAgents(review({ base, commit, workflow, repository, message, directory }));
}

const isByExitCode = ({ report }: Workflow["checks"][number]): boolean => report?.format === "exit";

const hintsOf = ({ below }: Bench, { workflow }: Stand): readonly string[] =>
	workflow.checks.slice(0, 1).flatMap(({ run }) => atRootHints(below, run));

const MAX_TEXTS = 4_000_000;
