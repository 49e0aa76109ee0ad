// An agent that blurts out secrets wherever it can: `node leaky-agent.mjs`. What it is to say stands in
// `$HOME/secrets.txt`; what it was given it keeps below `$HOME/received`.
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

const { HOME, SPAR_ROLE, SPAR_TURN, SPAR_PROMPT, SPAR_CONTEXT, SPAR_REPORT } = process.env;
const turn = Number(SPAR_TURN);
const said = readFileSync(join(HOME, "secrets.txt"), "utf8");
const received = join(HOME, "received");
mkdirSync(received, { recursive: true });
const mine = join(received, `${SPAR_ROLE}-${turn}.txt`);
const before = existsSync(mine) ? readFileSync(mine, "utf8").split("=== call").length - 1 : 0;

/** Everything that lies beside the prompt: context, diffs, outputs of checks. */
const beside = readdirSync(dirname(SPAR_PROMPT), { recursive: true, withFileTypes: true })
	.filter((entry) => entry.isFile())
	.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
const given = [JSON.stringify(process.env), readFileSync(0, "utf8"), ...beside];
appendFileSync(mine, `=== call\n${given.join("\n")}\n`);

const context = JSON.parse(readFileSync(SPAR_CONTEXT, "utf8"));
const criteria = context.task?.acceptance_criteria ?? [];
const findings = context.findings ?? [];
const met = criteria.map((criterion) => ({ criterion, met: true, evidence: said, tests: [said] }));

const PLAYER = {
	files_modified: [said],
	files_created: [said],
	tests_written: [said],
	implementation_notes: said,
	concerns: [said],
	disputes:
		turn !== 2 ? [] : findings.map(({ id }) => ({ finding: id, reason: said, evidence: said })),
};
const status = turn < 3 ? "open" : "fixed";
const COACH = {
	decision: turn < 3 ? "feedback" : "approve",
	rationale: said,
	requirements_status: met,
	findings_status: findings.map(({ id }) => ({ id, status, reason: said })),
	feedback_items:
		turn > 1
			? []
			: [{ issue: `This leaks: ${said}`, severity: "major", file: "leak.txt", suggestion: said }],
};
const REPORTS = {
	player: PLAYER,
	coach: COACH,
	evaluator: { score: 0.5, rationale: said },
	// Undecided, so that a person is asked.
	tie_breaker: { verdict: before === 0 ? "PASS" : "FAIL", rationale: said },
};

const middle = Math.floor(said.length / 2);
for (const stream of [process.stdout, process.stderr]) stream.write(said.slice(0, middle));
await delay(20);
for (const stream of [process.stdout, process.stderr]) stream.write(said.slice(middle));
if (SPAR_ROLE === "player") {
	writeFileSync("leak.txt", `${said}\nturn ${turn}\n`);
	if (turn === 3 && before === 0) {
		process.stderr.write(`fatal: refused ${said.split("\n").find((line) => line !== "")}\n`);
		process.exit(3);
	}
}
writeFileSync(SPAR_REPORT, JSON.stringify(REPORTS[SPAR_ROLE], null, "\t"));
