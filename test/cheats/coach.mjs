// A coach that approves everything: `node coach.mjs [--answers [--quote WORDS]]`. With `--answers` it calls every suspicion harmless,
// as a reader of honest work would; otherwise it does not mention them. `--quote WORDS` are those of the task by which it does.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const {
	task,
	subtask,
	suspicions = [],
} = JSON.parse(readFileSync(process.env.SPAR_CONTEXT, "utf8"));
const answers = process.argv.includes("--answers");
const quote = process.argv.indexOf("--quote");
const asked = quote < 0 ? {} : { asked_for: process.argv[quote + 1] };
const criteria = [...task.acceptance_criteria, ...(subtask?.acceptance_criteria ?? [])];
const report = {
	decision: "approve",
	rationale: "All is there.",
	requirements_status: criteria.map((criterion) => ({ criterion, met: true, evidence: "seen" })),
	attempts: [{ what: "read the diff", outcome: "nothing found" }],
	suspicions_status: answers
		? suspicions.map(({ id }) => ({ id, ok: true, reason: "The task asks for it.", ...asked }))
		: [],
};
writeFileSync(process.env.SPAR_REPORT, JSON.stringify(report));
