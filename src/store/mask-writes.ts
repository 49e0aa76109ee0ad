import { maskReport } from "../agents/mask-report.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { assertNever } from "../kernel/assert-never.ts";
import type { Masker } from "../masking/masking.ts";
import type { TraceEvent } from "../trace/event.ts";
import { maskAllButNames } from "./mask-texts.ts";
import type { Write } from "./records.ts";

/**
 * Records on their way to the database, without secrets: the one place for all that a run writes. Two things come to
 * the database past it, without secrets already: what a person answers to a question (`library/answer-item.ts`), and the
 * workflow of a new run (`storedWorkflow`).
 *
 * Only what people, agents and programs wrote is masked. Ids, branches, commits, paths that are looked up and
 * Sparring's own words stay as they are: a secret that happens to read like a task's id must not break a run.
 */
export function maskWrites(masker: Masker, writes: readonly Write[]): Write[] {
	return writes.map((write) => maskWrite(masker, write));
}

export function maskWrite(masker: Masker, write: Write): Write {
	switch (write.kind) {
		case "task":
		case "turn":
		case "score":
		case "conflict":
		case "item":
			return maskAllButNames(masker, write);
		case "finding":
			// The file is looked up in the commit.
			return {
				...write,
				finding: { ...maskAllButNames(masker, write.finding), file: write.finding.file },
			};
		case "step":
			return { ...write, result: maskAllButNames(masker, write.result) };
		case "call": {
			const { report } = write.call;
			const masked = report === null ? null : maskReport(masker, report);
			return { ...write, call: { ...maskAllButNames(masker, write.call), report: masked } };
		}
		case "evidence":
			return { ...write, evidence: maskedEvidence(masker, write.evidence) };
		case "event":
		case "conflict-paused":
		case "budget-warned": {
			const data = maskAllButNames(masker, write.event.data);
			// Each value keeps its shape, so the data is still that of the type.
			return { ...write, event: { ...write.event, data } as TraceEvent };
		}
		// Its digest is that of the file; its texts are of reports, which are masked.
		case "pair-session":
		// Numbers, ids and Sparring's own words.
		case "run":
		case "score-outcome":
		case "item-consumed":
		case "time":
			return write;
		default:
			return assertNever(write);
	}
}

// An id elsewhere is the name of a test in a case, which anybody may have written.
function maskedEvidence(masker: Masker, evidence: Evidence): Evidence {
	const masked = maskAllButNames(masker, evidence);
	const cases = masked.cases?.map((each) => ({ ...each, id: masker.mask(each.id) })) ?? null;
	return { ...masked, cases };
}
