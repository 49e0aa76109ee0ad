import type { CoachReport } from "../agents/report.ts";
import { canonicalJson } from "../kernel/json.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import { suspicionWhat } from "../wall/suspicion.ts";
import { normaliseFindingId } from "./apply-disputes.ts";
import {
	type Claim,
	claimOf,
	criterionIssue,
	findingKey,
	higherSeverity,
	isTouched,
	suspicionIssue,
} from "./claim.ts";
import { type Finding, issueKey, type Ruling } from "./finding.ts";
import { isBlocking, isOpen } from "./finding-state.ts";
import type { JudgedSuspicion } from "./suspicion-answers.ts";

export const MATERIALITY_ROUND = 3;

export interface LedgerInput {
	readonly open: readonly Finding[];
	readonly sameIssue: readonly Finding[];
	readonly nextNumber: number;
	readonly report: Pick<CoachReport, "findings_status" | "feedback_items">;
	readonly criteria: readonly CriterionStatement[];
	readonly suspicions?: readonly JudgedSuspicion[];
	readonly subtask: string | null;
	readonly turn: number;
	/** Files changed since the coach's last round, both names of a rename; null in its first round. */
	readonly changedFiles: ReadonlySet<string> | null;
	/** Of overruled findings by id: files changed since the ruling; without an entry those of `changedFiles` count. */
	readonly changedSinceRuling?: ReadonlyMap<string, ReadonlySet<string>>;
	readonly round: number;
}

/** Changes of one round. */
export interface LedgerUpdate {
	/** Findings to store: new ones and those that differ from before. */
	readonly changed: readonly Finding[];
	/** All that are open afterwards, by number. */
	readonly open: readonly Finding[];
	/** Ids of withdrawn or overruled findings that were raised again without new grounds: left closed. */
	readonly ignored: readonly string[];
}

/** The keys by which the caller finds closed findings that this report may raise again. */
export function reportKeys(
	report: Pick<CoachReport, "feedback_items" | "suspicions_status">,
	criteria: readonly CriterionStatement[],
): string[] {
	const items = report.feedback_items.map(({ issue }) => issueKey(issue));
	const unmet = criteria.filter(({ met }) => !met);
	const own = unmet.map(({ criterion }) => issueKey(criterionIssue(criterion)));
	const refused = report.suspicions_status.map(({ id }) => issueKey(suspicionIssue(id)));
	return [...new Set([...items, ...own, ...refused])];
}

const numberOf = (finding: Finding): number => Number(finding.id.slice(1));

class Round {
	readonly findings: Map<string, Finding>;
	readonly raised = new Set<string>();
	readonly ignored = new Set<string>();
	readonly input: LedgerInput;
	private readonly keys: Map<string, string>;
	private next: number;

	constructor(input: LedgerInput) {
		// A finding cannot be open and closed at once: the open list is read last, so it wins.
		const known = [...input.sameIssue, ...input.open];
		this.input = input;
		this.findings = new Map(known.map((finding) => [finding.id, finding]));
		this.keys = new Map(known.map((finding) => [finding.id, findingKey(finding)]));
		this.next = known.reduce((most, f) => Math.max(most, numberOf(f) + 1), input.nextNumber);
	}

	private twins({ key, file }: Claim): Finding[] {
		const same = [...this.findings.values()].filter(
			(known) =>
				this.keys.get(known.id) === key &&
				(file === null || known.file === null || known.file === file),
		);
		const order = (known: Finding): number =>
			(isOpen(known) ? 0 : 2) + (known.file === file ? 0 : 1);
		return same.sort((a, b) => order(a) - order(b));
	}

	private isLate({ severity, criterion, file, suspicion }: Claim): boolean {
		const { round, changedFiles } = this.input;
		// Sparring asked about it: the answer is no late discovery.
		if (suspicion !== undefined) return false;
		if (round < MATERIALITY_ROUND || changedFiles === null) return false;
		if (severity === "critical" || criterion !== null || file === null) return false;
		return !isTouched(changedFiles, file);
	}

	// A fixed one always. One that the coach withdrew, when the item is critical, is tied to a criterion, or is about
	// a file that changed since: otherwise repeating the sentence would undo the settlement. One that was overruled
	// likewise, but a criterion gives no new grounds: the ruling covered it. What names no file is about the whole
	// work, so that any change gives new grounds.
	private isReopenedBy(settled: Finding, { severity, criterion, file }: Claim): boolean {
		if (settled.state === "fixed" || severity === "critical") return true;
		if (settled.state === "withdrawn" && criterion !== null) return true;
		const { changedFiles: sinceLast, changedSinceRuling } = this.input;
		const changedFiles = changedSinceRuling?.get(settled.id) ?? sinceLast;
		if (changedFiles === null) return false;
		if (file === null) return settled.state === "overruled" && changedFiles.size > 0;
		return isTouched(changedFiles, file);
	}

	enter(claim: Claim): void {
		const [twin] = this.twins(claim);
		if (twin === undefined) {
			this.add(claim, "coach");
			return;
		}
		if (!isOpen(twin) && !this.isReopenedBy(twin, claim)) {
			this.ignored.add(twin.id);
			return;
		}
		this.raise(twin, claim);
	}

	raise(twin: Finding, claim: Claim): void {
		this.raised.add(twin.id);
		// A ruling for the player is about what was known then; with new grounds it no longer counts.
		const known = twin.ruling?.decision === "PASS" ? { ...twin, ruling: null } : twin;
		const merged = {
			...known,
			severity: higherSeverity(twin.severity, claim.severity),
			file: twin.file ?? claim.file,
			line: twin.line ?? claim.line,
			criterion: twin.criterion ?? claim.criterion,
			suggestion: twin.suggestion ?? claim.suggestion,
		};
		// What once blocked does not become late: only a new finding can be.
		const late = twin.late && this.isLate({ ...merged, key: claim.key });
		this.findings.set(
			twin.id,
			isOpen(twin)
				? { ...merged, late }
				: { ...merged, late, state: "reopened", changedTurn: this.input.turn },
		);
	}

	add(claim: Claim, source: Finding["source"]): void {
		const { key, ...said } = claim;
		const { turn, subtask } = this.input;
		const finding: Finding = {
			...said,
			id: `F${this.next}`,
			state: "open",
			dispute: null,
			source,
			late: this.isLate(claim),
			subtask,
			raisedTurn: turn,
			changedTurn: turn,
		};
		this.next += 1;
		this.findings.set(finding.id, finding);
		this.keys.set(finding.id, key);
		this.raised.add(finding.id);
	}
}

type CoachWord = CoachReport["findings_status"][number]["status"];

function statuses(report: LedgerInput["report"]): Map<string, CoachWord> {
	const said = new Map<string, CoachWord>();
	for (const { id, status } of report.findings_status) {
		const key = normaliseFindingId(id);
		const before = said.get(key);
		said.set(key, before === undefined || before === status ? status : "open");
	}
	return said;
}

function answered(finding: Finding, said: CoachWord, turn: number): Finding {
	if (said === "open")
		return finding.state === "disputed"
			? { ...finding, state: "upheld", changedTurn: turn }
			: finding;
	return { ...finding, state: said, changedTurn: turn };
}

function verdictOn(finding: Finding, round: Round, said: Map<string, CoachWord>): CoachWord {
	if (round.raised.has(finding.id)) return "open";
	const word = said.get(finding.id) ?? "open";
	if (finding.suspicion !== undefined) return suspicionWord(finding.suspicion, word, round.input);
	if (finding.source === "coach") return word;
	const status = round.input.criteria.find(({ criterion }) => criterion === finding.criterion);
	if (status === undefined) return word;
	if (!status.met) return "open";
	return word === "withdrawn" ? "withdrawn" : "fixed";
}

/** A suspicion's finding follows the answer to it, and is fixed once its place is gone. */
function suspicionWord(id: string, word: CoachWord, { suspicions = [] }: LedgerInput): CoachWord {
	const found = suspicions.find(({ suspicion }) => suspicion.id === id);
	if (found === undefined) return "fixed";
	return found.state === "accepted" || word === "withdrawn" ? "withdrawn" : "open";
}

function coverRefused(round: Round): void {
	for (const { suspicion, state, reason } of round.input.suspicions ?? []) {
		if (state !== "refused") continue;
		const { id, rule, file, line } = suspicion;
		const issue = `${suspicionIssue(id)} (${suspicionWhat(rule)})`;
		const claim: Claim = {
			key: issueKey(suspicionIssue(id)),
			issue: reason === "" ? issue : `${issue}: ${reason}`,
			severity: "major",
			file,
			line,
			criterion: null,
			suggestion: null,
			suspicion: id,
		};
		const known = [...round.findings.values()].filter((finding) => finding.suspicion === id);
		const [twin] = known;
		if (twin === undefined) round.add(claim, "coach");
		else if (!known.some(isOpen)) round.raise(twin, claim);
	}
}

function coverUnmet(round: Round): void {
	for (const { criterion, met, evidence } of round.input.criteria) {
		const known = [...round.findings.values()].filter((finding) => finding.criterion === criterion);
		if (met || known.some(isOpen)) continue;
		const issue = criterionIssue(criterion);
		const claim: Claim = {
			key: issueKey(issue),
			issue: evidence === null ? issue : `${issue}\n${evidence}`,
			severity: "major",
			file: null,
			line: null,
			criterion,
			suggestion: null,
		};
		const twin = known.find(({ source }) => source === "criterion");
		if (twin === undefined) round.add(claim, "criterion");
		else round.raise(twin, claim);
	}
}

/**
 * Enters one round of the coach into the ledger of findings. Pure: the same input gives the same ids.
 *
 * - An item equal to an open finding (issue key, and the same file or none) is that finding: severity may rise,
 *   never fall, and whatever else the report says of it, it stays open.
 * - An item equal to a closed one reopens it under its id, see `ignored` for the exception.
 * - Any other item is a new finding. From round {@link MATERIALITY_ROUND} on it is `late` when its file did not
 *   change since the last round, unless it is critical or tied to a criterion.
 * - An open finding closes only when the coach says `fixed` or `withdrawn`; left out, it stays open, and a disputed
 *   one becomes `upheld`. An approval closes nothing by itself.
 * - Each unmet criterion has an open finding afterwards; one that Sparring made closes when its criterion is met. A ruling is
 *   about one finding in one turn: it answers for no later word on the criterion.
 * - Each suspicion that the coach does not accept has an open finding afterwards, which closes when it accepts the
 *   suspicion or the place is gone.
 */
export function updateLedger(input: LedgerInput): LedgerUpdate {
	const round = new Round(input);
	const texts = input.criteria.map(({ criterion }) => criterion);
	for (const item of input.report.feedback_items) round.enter(claimOf(item, texts));
	const said = statuses(input.report);
	// Closed ones are left alone: no word of the coach moves a finding from one end to another.
	// What a verifier's test found, only its runs close.
	const own = [...round.findings.values()].filter(({ source }) => source !== "verification");
	for (const finding of own.filter(isOpen))
		round.findings.set(finding.id, answered(finding, verdictOn(finding, round, said), input.turn));
	coverUnmet(round);
	coverRefused(round);
	const known = [...input.sameIssue, ...input.open];
	const before = new Map(known.map((finding) => [finding.id, canonicalJson(finding)]));
	const after = [...round.findings.values()].sort((a, b) => numberOf(a) - numberOf(b));
	return {
		changed: after.filter((finding) => canonicalJson(finding) !== before.get(finding.id)),
		open: after.filter(isOpen),
		ignored: [...round.ignored],
	};
}

function isRuledOut({ state, ruling }: Finding): boolean {
	return state === "overruled" && ruling?.decision === "PASS";
}

/** The findings of a subtask that were decided against the coach: it must not raise them again. */
export function overruledFindings(all: readonly Finding[], subtask: string | null): Finding[] {
	return all.filter((finding) => isRuledOut(finding) && (finding.subtask ?? null) === subtask);
}

/** The findings of the coach that were decided against it in this turn; a verifier's tests are none. */
export function overruledIn(all: readonly Finding[], turn: number): Finding[] {
	return all.filter(
		(finding) =>
			isRuledOut(finding) && finding.ruling?.turn === turn && finding.source !== "verification",
	);
}

/**
 * A coach's round as if it had withdrawn the overruled findings, and called the criteria that they name met. A
 * criterion stays unmet while a finding of the coach's own speaks against it, or one that was disputed by itself:
 * each dispute has its own ruling, and one must not undo another. A refusal rested on what was overruled when a
 * finding that blocked was among it and what is left open is minor, or nothing is left at all: a grave finding that
 * came too late to block may be why the coach refused.
 */
export function remainder(
	overruled: readonly Finding[],
	left: readonly Finding[],
): {
	readonly closed: readonly Finding[];
	readonly open: readonly Finding[];
	readonly met: ReadonlySet<string>;
	readonly isAllThatStood: boolean;
} {
	const rulings = new Map<string, Ruling>();
	for (const { criterion, ruling } of overruled) {
		if (criterion !== null && ruling != null) rulings.set(criterion, ruling);
	}
	const against = left
		.filter(({ source, state }) => source === "coach" || state === "upheld")
		.map(({ criterion }) => criterion);
	const met = new Set([...rulings.keys()].filter((criterion) => !against.includes(criterion)));
	const closed = left.flatMap((finding): Finding[] => {
		const { source, criterion } = finding;
		const ruling = criterion !== null && met.has(criterion) ? rulings.get(criterion) : undefined;
		if (source !== "criterion" || ruling === undefined) return [];
		return [{ ...finding, state: "overruled", ruling }];
	});
	const gone = new Set(closed.map(({ id }) => id));
	const open = left.filter(({ id }) => !gone.has(id));
	return {
		met,
		open,
		closed,
		// The refusal rested on what was overruled: then, with nothing else in the way, it is an approval.
		isAllThatStood:
			open.length === 0 ||
			(overruled.some((finding) => isBlocking({ ...finding, state: "upheld" })) &&
				open.every(({ severity }) => severity === "minor")),
	};
}
