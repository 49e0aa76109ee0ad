import type { DefinedCheck, Evidence } from "../../evidence/evidence.ts";
import type { ReportFigures } from "../../evidence/report-figures.ts";
import type { Write } from "../records.ts";
import { all, change, one, type Query, type Row } from "./query.ts";
import { evidenceCases, evidenceFigures, evidence as table } from "./tables.ts";

type EvidenceWrite = Extract<Write, { kind: "evidence" }>;

const SELECT = `SELECT ${table.list}, cases, figures FROM evidence
	LEFT JOIN evidence_cases ON evidence_cases.evidence = seq
	LEFT JOIN evidence_figures ON evidence_figures.evidence = seq`;

function decode(row: Row): Evidence {
	const { figures } = evidenceFigures.decode(row);
	return { ...table.decode(row), ...evidenceCases.decode(row), ...figures };
}

/** Deletes and inserts rather than updates, so that what was written last is the newest. */
export function* replaceEvidence(write: EvidenceWrite): Query<void> {
	const { runId, taskId, turn, attempt, evidence } = write;
	yield* change(
		`DELETE FROM evidence WHERE run_id = ? AND task_id = ? AND turn = ? AND check_name = ?
			AND purpose = ? AND attempt = ?`,
		runId,
		taskId,
		turn,
		evidence.check,
		evidence.purpose,
		attempt,
	);
	const inserted = yield* one(
		`INSERT INTO evidence (run_id, task_id, turn, attempt, ${table.list})
			VALUES (?, ?, ?, ?, ${table.marks}) RETURNING seq`,
		runId,
		taskId,
		turn,
		attempt,
		...table.encode(evidence),
	);
	const seq = Number(inserted?.["seq"]);
	if (evidence.cases !== null) {
		const cases = evidenceCases.encode({ cases: evidence.cases });
		yield* change("INSERT INTO evidence_cases (evidence, cases) VALUES (?, ?)", seq, ...cases);
	}
	const figures = figuresOf(evidence);
	if (Object.keys(figures).length === 0) return;
	const encoded = evidenceFigures.encode({ figures });
	yield* change("INSERT INTO evidence_figures (evidence, figures) VALUES (?, ?)", seq, ...encoded);
}

function figuresOf({ results, coverage, mutation }: Evidence): ReportFigures {
	return {
		...(results === undefined ? {} : { results }),
		...(coverage === undefined ? {} : { coverage }),
		...(mutation === undefined ? {} : { mutation }),
	};
}

/** Of each check and purpose what was written last, in the order they were written. */
export function* selectEvidence(
	runId: string,
	taskId: string,
	turn: number,
): Query<readonly Evidence[]> {
	const sql = `${SELECT} WHERE run_id = ?1 AND task_id = ?2 AND turn = ?3 AND seq = (
			SELECT max(later.seq) FROM evidence AS later
			WHERE later.run_id = ?1 AND later.task_id = ?2 AND later.turn = ?3
				AND later.check_name = evidence.check_name AND later.purpose = evidence.purpose)
		ORDER BY seq`;
	return (yield* all(sql, runId, taskId, turn)).map(decode);
}

export function* selectEvidenceFor(
	runId: string,
	tree: string,
	{ check, definition }: DefinedCheck,
): Query<Evidence | undefined> {
	// The condition on the status is, word for word, that of the index.
	const sql = `${SELECT} WHERE run_id = ? AND tree = ? AND definition = ?
		AND status IN ('pass', 'fail') AND check_name = ? ORDER BY seq DESC LIMIT 1`;
	const row = yield* one(sql, runId, tree, definition, check);
	return row && decode(row);
}
