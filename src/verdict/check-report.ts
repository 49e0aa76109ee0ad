import { isTimedOut } from "../checks/judge.ts";
import { splitFailing } from "../checks/judge-results.ts";
import { type CountsJson, countsJson } from "../evidence/counts-json.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateFacts, GateReason, Outcome } from "../gate/gate-facts.ts";
import type { ChangedFileText } from "../git/changed-texts.ts";
import type { Unfit } from "../git/unfit.ts";
import {
	type BlockedPlace,
	placesOf,
	rewrittenPlaces,
	rewrittenText,
} from "../judge/blocked-places.ts";
import { questionText, type Verdict, withFacts } from "../judge/judge.ts";
import { FAILS_TOO, type NotCounted, onceEach } from "../judge/not-counted.ts";
import { tellingLines } from "../judge/telling-lines.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import { shellWord } from "../kernel/shell-word.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { AllowedChange } from "../wall/reading/tree-pair.ts";
import { type Expected, isLiftedByFile, type Suspicion, suspicionWhat } from "../wall/suspicion.ts";
import { answerTo, type CheckAllowance } from "./check-allowance.ts";
import type { CheckTime } from "./check-time.ts";
import { leftOutNotes } from "./left-out.ts";
import { type RuleResult, untoldRefusals } from "./refusals.ts";
import { longerLine } from "./require-results.ts";

/** `fail`: something failed, or was weakened. `review`: nothing did, and there are suspicions that nobody answered. */
export type CheckVerdict = "pass" | "review" | "fail";

/** Result of one check, or of a replay of the base's tests by one (`kind: "replay"`). */
export interface CheckResult {
	readonly name: string;
	readonly kind: Evidence["kind"];
	readonly status: EvidenceStatus;
	readonly reason: string | null;
	readonly counts: CountsJson | null;
	/** Names of the cases that fail and did not fail at the base. */
	readonly failed: readonly string[];
	readonly details: readonly string[];
	/** Time that its run took, in milliseconds; 0 where none did. */
	readonly ms: number;
	/** False where it stands in no one's way, such as a linter that was red at the base. */
	readonly blocks: boolean;
}

export interface OpenSuspicion extends Omit<Suspicion, "place" | "expected">, Partial<Expected> {
	readonly what: string;
	/** Text for `--allow` that answers it, without the reason. */
	readonly allow: string;
}

/** Judgement of work that exists. */
export interface CheckReport {
	readonly verdict: CheckVerdict;
	readonly subject: string;
	readonly base: string;
	/** In words how far the base is and what it is, such as `"2 commits back, where it left origin/main"`; null: it is HEAD. */
	readonly base_is: string | null;
	readonly commit: string;
	readonly tree: string;
	readonly files: readonly string[];
	/** Source of the checks, such as `"sparring.yaml"`. */
	readonly checks_from: string;
	/** False with `--quick`: nothing was run. */
	readonly ran: boolean;
	/** True where tests are judged by the exit code of their command alone. */
	readonly by_exit_code: boolean;
	readonly checks: readonly CheckResult[];
	readonly integrity: {
		readonly status: EvidenceStatus;
		readonly violations: readonly string[];
		readonly places: readonly BlockedPlace[];
		readonly notes: readonly string[];
	};
	readonly suspicions: readonly OpenSuspicion[];
	readonly allowed: readonly AllowedChange[];
	/** Tests of the checks that say nothing for the verdict, such as those that fail on the base too. */
	readonly not_counted: readonly NotCounted[];
	/** Items of a coach; empty without one. */
	readonly findings: readonly FindingReport[];
	/** The word of each rule of the gate. */
	readonly rules: readonly RuleResult[];
	readonly next: readonly string[];
	readonly time: CheckTime;
}

/** A report before it is known what it took. */
export type JudgedReport = Omit<CheckReport, "time">;

/** Result of a review by agents. */
export interface WorkReview {
	/** Those that are open. */
	readonly findings: readonly FindingReport[];
	/** Suspicions that the coach accepts, by their ids, with the reason. */
	readonly accepted: ReadonlyMap<string, string>;
	/** False where it does not approve; null without a coach. */
	readonly approved: boolean | null;
	/** A verifier's verdict; null without one. */
	readonly verification: NonNullable<GateFacts["verification"]>["verdict"];
	readonly notes: readonly string[];
}

export interface JudgedWork {
	readonly review: WorkReview | null;
	readonly subject: string;
	/** Messages of its commits; empty where it is not committed. */
	readonly message: string;
	/** Commits of the branch beside uncommitted work. */
	readonly unjudged: number;
	readonly leftOut: readonly Unfit[];
	readonly base: string;
	readonly baseIs: string | null;
	readonly commit: string;
	/** Paths of the files that differ. */
	readonly files: readonly string[];
	/** They with their texts, where the report has places in them. */
	readonly changed: readonly ChangedFileText[];
	readonly checksFrom: string;
	readonly ran: boolean;
	readonly byExitCode: boolean;
	readonly judged: Verdict;
	/** Notes besides those of the comparison. */
	readonly notes: readonly string[];
	readonly answers: readonly CheckAllowance[];
	/** Tests of the base that pass only where the user works. */
	readonly lacking: readonly NotCounted[];
	/** Words of the command that name the work and what judges it. */
	readonly asked: readonly string[];
}

const NO_REVIEW: WorkReview = {
	findings: [],
	accepted: new Map(),
	approved: null,
	verification: null,
	notes: [],
};

/** Tells whether a report has places in changed files: what blocks, what is asked, and tests that it restored. */
export const hasPlaces = ({ integrity, evidence }: Verdict): boolean =>
	integrity.blocked.length + integrity.suspicions.length > 0 ||
	evidence.some(({ kind, status }) => kind === "replay" && status === "fail");

/** The report of judged work. */
export function checkReport(work: JudgedWork): JudgedReport {
	const { subject, base, commit, changed, answers } = work;
	const { tree, integrity, evidence, baseline, notCounted, questions } = work.judged;
	const { findings, accepted, notes: said } = work.review ?? NO_REVIEW;
	const suspicions = questions
		.filter(({ id }) => !accepted.has(id))
		.map((one): OpenSuspicion => {
			const { id, rule, kind, file, line, text } = one;
			return {
				id,
				rule,
				kind,
				file,
				line,
				text,
				...one.expected,
				what: `${suspicionWhat(rule)}${one.expected === undefined ? "" : saidOf(work.message)}`,
				allow: allowFor(one, changed),
			};
		});
	const given = integrity.suspicions.flatMap((one): AllowedChange[] => {
		const reason = answerTo(one, answers)?.reason ?? accepted.get(one.id);
		return reason === undefined
			? []
			: [{ path: one.file, change: "edit", reason: `${one.id}: ${reason}` }];
	});
	const unasked = answers
		.filter(({ change }) => change.startsWith("s-"))
		.filter(
			(one) =>
				![...integrity.suspicions, ...questions].some(
					(each) => answerTo(each, [one]) !== undefined,
				),
		)
		.map(({ path, change }) => `allow: nothing asks ${change} of ${path}`);
	const { outcome, reasons } =
		work.review === null ? work.judged : reviewed(work.judged, work.review);
	const blocking = new Set(reasons.flatMap(({ blocks = [] }) => blocks));
	const checks = evidence.map((piece) => resultOf(piece, baseline, blocking));
	const isReplayRed = checks.some(({ kind, status }) => kind === "replay" && status === "fail");
	const rewritten = isReplayRed ? rewrittenPlaces(integrity, work.judged.restored, changed) : [];
	const places = [...placesOf(integrity, changed), ...rewritten];
	const violations = [...integrity.violations, ...rewritten.map(rewrittenText)];
	const notes = [
		...leftOutNotes(work.leftOut),
		...integrity.notes,
		...unasked,
		...work.notes,
		...said,
	];
	const lateMs = Math.max(0, ...evidence.filter(isTimedOut).map(({ ms }) => ms));
	const report = {
		verdict: SAID[outcome],
		subject,
		base,
		base_is: work.baseIs,
		commit,
		tree,
		files: work.files,
		checks_from: work.checksFrom,
		ran: work.ran,
		by_exit_code: work.byExitCode,
		checks,
		integrity: {
			status: violations.length > 0 ? "fail" : "pass",
			violations,
			places,
			notes,
		},
		suspicions,
		allowed: [...integrity.allowed, ...given],
		not_counted: onceEach([...work.lacking, ...notCounted]),
		findings,
		rules: reasons.map(ruleResult),
	} as const;
	return { ...report, next: [...nextSteps(report, work.asked, lateMs), ...besides(work)] };
}

const LONGEST_SAID = 200;

/** Words of the work itself, beside what it expects now. */
function saidOf(message: string): string {
	const said = message.replaceAll(/\s+/g, " ").trim();
	if (said === "") return "";
	return `; its commits say: ${said.length > LONGEST_SAID ? `${said.slice(0, LONGEST_SAID)}...` : said}`;
}

const SAID: Readonly<Record<Outcome, CheckVerdict>> = {
	pass: "pass",
	ask: "review",
	none: "review",
	fail: "fail",
};

/** The verdict with the words of agents, each on what it was asked for. */
function reviewed(judged: Verdict, review: WorkReview): Verdict {
	const { accepted, approved, verification, findings } = review;
	const isTold = verification === "passed" || verification === "failed";
	return withFacts(judged, {
		questions: judged.questions.filter(({ id }) => !accepted.has(id)).map(questionText),
		...(verification === null
			? {}
			: { verification: { required: isTold, verdict: verification, reason: null } }),
		...(approved === null ? {} : { coach: { approves: approved, blocking: issuesOf(findings) } }),
	});
}

const issuesOf = (findings: readonly FindingReport[]): string[] =>
	findings.flatMap(({ blocking, id, issue }) => (blocking ? [`${id}: ${issue}`] : []));

function ruleResult({ rule, status, details }: GateReason): RuleResult {
	// The same words, in the case of JSON.
	return { rule, status: status.toLowerCase() as RuleResult["status"], details };
}

function resultOf(
	piece: Evidence,
	baseline: ReadonlyMap<string, Evidence>,
	blocking: ReadonlySet<string>,
): CheckResult {
	const { check: name, kind, status, reason, counts, details, cases, ms } = piece;
	const newly = status === "pass" ? [] : splitFailing(cases, baseline.get(name)).newly;
	const failed = newly.map(({ id }) => id);
	// Without a failed case the command's own words tell why.
	const words = kind === "replay" ? [] : tellingLines(piece);
	return {
		name,
		kind,
		status,
		reason,
		counts: countsJson(counts),
		failed,
		details: [...details, ...words],
		ms,
		blocks: blocking.has(name),
	};
}

/** Tells whether a test is not counted since it was red before. */
export const isRedOnBase = ({ why }: NotCounted): boolean => why === FAILS_TOO;

/** Tells whether a check says nothing, since all of its tests fail on the base too: nobody is to blame, and nothing is shown. */
export const isUnjudged = ({ kind, status, blocks }: CheckResult): boolean =>
	kind === "acceptance" && status === "absent" && !blocks;

function allowFor(
	{ id, rule, file }: Pick<Suspicion, "id" | "rule" | "file">,
	changed: readonly ChangedFileText[],
): string {
	if (!isLiftedByFile(rule)) return `${file}:${id}`;
	const isGone = changed.some((one) => one.path === file && one.kind === "deleted");
	return `${file}:${isGone ? "delete" : "edit"}`;
}

function besides({ unjudged }: JudgedWork): string[] {
	if (unjudged === 0) return [];
	const told = unjudged === 1 ? "the commit" : `the ${unjudged} commits`;
	return [`judge ${told} of this branch too, not part of this check`, "spar check HEAD"];
}

/** @param lateMs time of the longest run that a limit ended; 0: none was */
function nextSteps(
	report: Omit<JudgedReport, "next">,
	asked: readonly string[],
	lateMs: number,
): string[] {
	const { verdict, checks, suspicions, findings } = report;
	const { violations, places } = report.integrity;
	if (verdict === "pass") return [];
	const short = checks.filter(({ blocks }) => blocks);
	const steps: string[] = [];
	if (short.some(({ failed }) => failed.length > 0)) steps.push("fix what fails");
	else if (short.length > 0 && violations.length === 0 && lateMs > 0)
		steps.push("see why it does not end, or give it more time:", longerLine(asked, lateMs));
	else if (short.length > 0 && violations.length === 0)
		steps.push("see why; to run another command: spar check --command CMD");
	const isAllowable = places.some(({ allow }) => allow.length > 0);
	if (violations.length > 0)
		steps.push(
			isAllowable
				? "bring back what was weakened, or allow it with a reason where it is meant"
				: "bring back what was weakened",
		);
	if (checks.some(isUnjudged))
		steps.push("make tests pass on the base first: by those that fail there nothing can be judged");
	if (findings.length > 0) steps.push("see to the findings");
	for (const { rule } of untoldRefusals(report))
		steps.push(`see to what the gate asks for: ${rule}`);
	if (suspicions.length > 0)
		steps.push("look at each suspicion; where it is right, say so with a reason");
	const allowable = [
		...places.flatMap(({ allow }) => allow),
		...suspicions.map((one) => one.allow),
	];
	const words = [...new Set(allowable)].map((text) => `--allow ${shellWord(`${text}:the reason`)}`);
	if (words.length > 0) steps.push(["spar check", ...asked, ...words].join(" "));
	return steps;
}
