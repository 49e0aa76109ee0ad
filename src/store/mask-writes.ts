import { maskReport } from "../agents/mask-report.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Answer, FindingAnswer, HumanItem } from "../human/human-item.ts";
import { assertNever } from "../kernel/assert-never.ts";
import type { Masker } from "../kernel/masking.ts";
import type { Finding } from "../review/finding.ts";
import type { TraceEvent } from "../trace/event.ts";
import { maskAllButNames, maskNullable, maskText, maskTexts } from "./mask-texts.ts";
import type { CallRecord, TurnRecord, Write } from "./records.ts";

/**
 * Records on their way to the database, without secrets: the one place for all that a run writes. Two things come to
 * the database past it, without secrets already: what a person answers to a question (`app/answer-item.ts` masks that), and
 * the workflow of a new run (`storedWorkflow`).
 *
 * Only what people, agents and programs wrote is masked. Ids, branches, commits, paths that are looked up and words of
 * ours stay as they are: a secret that happens to read like a task's id must not break a run.
 */
export function maskWrites(masker: Masker, writes: readonly Write[]): Write[] {
	return writes.map((write) => maskWrite(masker, write));
}

/** Likewise, one of them. */
export function maskWrite(masker: Masker, write: Write): Write {
	switch (write.kind) {
		case "task":
			return { ...write, patch: maskedPatch(masker, write.patch) };
		case "step":
			return { ...write, result: maskAllButNames(masker, write.result) };
		case "call":
			return { ...write, call: maskedCall(masker, write.call) };
		case "turn":
			return { ...write, turn: maskedTurn(masker, write.turn) };
		case "evidence":
			return { ...write, evidence: maskedEvidence(masker, write.evidence) };
		case "finding":
			return { ...write, finding: maskedFinding(masker, write.finding) };
		case "score":
			return { ...write, score: maskAllButNames(masker, write.score) };
		case "conflict": {
			const { record } = write;
			const rationale = maskNullable(masker, record.rationale);
			const escalationReason = maskNullable(masker, record.escalationReason);
			return { ...write, record: { ...record, rationale, escalationReason } };
		}
		case "item":
			return { ...write, item: maskedItem(masker, write.item) };
		case "event":
		case "conflict-paused":
		case "budget-warned":
			return { ...write, event: maskedEvent(masker, write.event) };
		// Its digest is that of the file, so its texts are masked before either is made (`advanceSession`).
		case "pair-session":
		// Numbers, ids and words of ours.
		case "run":
		case "score-outcome":
		case "item-consumed":
		case "time":
			return write;
		default:
			return assertNever(write);
	}
}

/** What kind of event it is and where it happened are names. */
function maskedEvent(masker: Masker, event: TraceEvent): TraceEvent {
	// Each value keeps its shape, so the data is still that of the type.
	return { ...event, data: maskAllButNames(masker, event.data) } as TraceEvent;
}

type TaskWrite = Extract<Write, { kind: "task" }>;

function maskedPatch(masker: Masker, patch: TaskWrite["patch"]): TaskWrite["patch"] {
	if (typeof patch.failureReason !== "string") return patch;
	return { ...patch, failureReason: maskText(masker, patch.failureReason) };
}

function maskedCall(masker: Masker, call: CallRecord): CallRecord {
	return {
		...call,
		report: call.report === null ? null : maskReport(masker, call.report),
		reportProblem: maskNullable(masker, call.reportProblem),
		message: maskNullable(masker, call.message),
	};
}

function maskedTurn(masker: Masker, turn: TurnRecord): TurnRecord {
	return {
		...turn,
		reasons: maskTexts(masker, turn.reasons),
		claims:
			turn.claims?.map((claim) => ({
				...claim,
				criterion: maskText(masker, claim.criterion),
				tests: maskTexts(masker, claim.tests),
			})) ?? null,
		rationale: maskText(masker, turn.rationale),
		notes: maskText(masker, turn.notes),
		openIssues: maskTexts(masker, turn.openIssues),
	};
}

function maskedEvidence(masker: Masker, evidence: Evidence): Evidence {
	const { coverage } = evidence;
	return {
		...evidence,
		reason: maskNullable(masker, evidence.reason),
		details: maskTexts(masker, evidence.details),
		outputTail: maskText(masker, evidence.outputTail),
		cases:
			evidence.cases?.map((each) => ({
				...each,
				id: maskText(masker, each.id),
				...(each.message === undefined ? {} : { message: maskText(masker, each.message) }),
			})) ?? null,
		// Compared with those of the baseline, which are masked likewise.
		touched: maskTexts(masker, evidence.touched),
		...(coverage === undefined
			? {}
			: {
					coverage: {
						...maskAllButNames(masker, coverage),
						unreported: maskTexts(masker, coverage.unreported),
					},
				}),
	};
}

function maskedFinding(masker: Masker, finding: Finding): Finding {
	const { dispute, ruling } = finding;
	return {
		...finding,
		issue: maskText(masker, finding.issue),
		criterion: maskNullable(masker, finding.criterion),
		suggestion: maskNullable(masker, finding.suggestion),
		dispute: dispute === null ? null : maskAllButNames(masker, dispute),
		...(ruling == null ? {} : { ruling: maskAllButNames(masker, ruling) }),
	};
}

function maskedItem(masker: Masker, item: HumanItem): HumanItem {
	const { answer, parts } = item;
	return {
		...item,
		reason: maskText(masker, item.reason),
		context: maskAllButNames(masker, item.context),
		answer: answer === null ? null : maskedAnswer(masker, answer),
		...(parts == null ? {} : { parts: maskedParts(masker, parts) }),
	};
}

function maskedAnswer(masker: Masker, answer: Answer): Answer {
	return {
		...answer,
		directive: maskNullable(masker, answer.directive),
		notes: maskNullable(masker, answer.notes),
		reason: maskNullable(masker, answer.reason),
	};
}

function maskedParts(
	masker: Masker,
	parts: Readonly<Record<string, FindingAnswer>>,
): Readonly<Record<string, FindingAnswer>> {
	return Object.fromEntries(
		Object.entries(parts).map(([finding, part]) => [
			finding,
			{
				...part,
				directive: maskNullable(masker, part.directive),
				notes: maskNullable(masker, part.notes),
			},
		]),
	);
}
