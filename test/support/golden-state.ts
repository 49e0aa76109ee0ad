import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { type Files, repository, type TestRepository } from "./repository.ts";
import { spar } from "./spar.ts";

/** Criteria of the task that goes well. */
const CRITERIA = ["refuses the call after the burst", "never holds more tokens than the burst"];

const line = (
	where: readonly [task: string, role: string, turn: number],
	report: unknown,
	more: Readonly<Record<string, unknown>> = {},
): string => {
	const [task, role, turn] = where;
	const agent = { player: "dev", coach: "reviewer", evaluator: "arbiter" }[role] ?? "dev";
	const usage = { input_tokens: 1_200, output_tokens: 300, cost_usd: 0.02, model: "fast" };
	const fixed = { subtask: null, call: 1, outcome: "answered", files: {}, output: "", ms: 41_800 };
	return JSON.stringify({ role, agent, task, turn, report, usage, ...fixed, ...more });
};

const met = (criteria: readonly string[]) =>
	criteria.map((criterion) => ({ criterion, met: true, evidence: "read the code and its test" }));

const LIMITER = "export const take = (bucket) => bucket.tokens-- > 0;\n";
const CAPPED = "export const take = (bucket) => Math.min(bucket.tokens, bucket.burst) > 0;\n";

/** What the agents answer, as a cassette. */
const CALLS = [
	line(
		["limiter", "player", 1],
		{
			files_modified: ["src/limiter.js"],
			tests_written: ["refuses the call after the burst"],
			implementation_notes: "The limiter is a token bucket; each call takes one token.",
			concerns: ["the clock may run backwards"],
		},
		{
			files: { "src/limiter.js": LIMITER, "tests.txt": "takes\nrefuses\n" },
			output: "Reading src/limiter.js\nI wrote the bucket and ran the tests: all of them pass.\n",
		},
	),
	line(["limiter", "coach", 1], {
		decision: "feedback",
		rationale: "The burst works and is tested; nothing caps the bucket.",
		requirements_status: [
			...met(CRITERIA.slice(0, 1)),
			{ criterion: CRITERIA[1], met: false, evidence: "refill() adds without a limit" },
		],
		attempts: [
			{
				what: "refill for an hour, then drain",
				command: "node drain.js",
				outcome: "3600 calls pass",
			},
		],
		feedback_items: [
			{
				issue:
					"refill() adds tokens without a limit: after an idle hour the bucket lets 3600 calls through",
				severity: "major",
				criterion: CRITERIA[1],
				file: "src/limiter.js",
				line: 1,
				suggestion: "cap the tokens at the burst",
			},
			{ issue: "the name of the module says nothing about its unit", severity: "minor" },
		],
	}),
	line(["limiter", "evaluator", 1], { score: 0.55, rationale: "Half of it is there." }),
	line(
		["limiter", "player", 2],
		{ files_modified: ["src/limiter.js"], implementation_notes: "The bucket is capped." },
		{ files: { "src/limiter.js": CAPPED, "tests.txt": "takes\nrefuses\ncaps\n" } },
	),
	line(["limiter", "coach", 2], {
		decision: "approve",
		rationale: "The bucket is capped, and a test shows it.",
		requirements_status: met(CRITERIA),
		findings_status: [
			{ id: "F1", status: "fixed" },
			{ id: "F2", status: "withdrawn" },
		],
		attempts: [{ what: "drain again", command: "node drain.js", outcome: "10 calls pass" }],
	}),
	line(["limiter", "evaluator", 2], { score: 0.9, rationale: "It does what was asked." }),
	line(
		["docs", "player", 1],
		{ implementation_notes: "The guide has a chapter on bursts." },
		{ files: { "docs/guide.md": "# Bursts, in calls per second\n\nThe burst is 10.\n" } },
	),
	line(["docs", "coach", 1], {
		decision: "feedback",
		rationale: "A reader cannot tell what the numbers mean.",
		requirements_status: [
			{ criterion: "explains the burst", met: false, evidence: "no unit in the text" },
		],
		feedback_items: [
			{
				issue: "the chapter gives numbers without their unit",
				severity: "major",
				criterion: "explains the burst",
				file: "docs/guide.md",
				line: 3,
			},
		],
	}),
	line(["port", "player", 1], null, { outcome: "content_policy" }),
];

/** A suite in a file: each line a case that passes. */
const CHECK = [
	'echo "TAP version 13"',
	"n=0",
	'while read -r name; do n=$((n + 1)); echo "ok $n - $name"; done < tests.txt',
	'echo "1..$n"',
].join("\n");

const pair = (more: string): string =>
	`paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: reviewer, ${more} }`;

const AGENTS = `agents:
  dev: { adapter: cassette, file: calls.jsonl }
  reviewer: { adapter: cassette, file: calls.jsonl }
  arbiter: { adapter: cassette, file: calls.jsonl }
`;

/** Its tasks run one after another: those at once would print in another order each time. */
const WORKFLOW = `version: 1
name: rate-limiter
max_parallel: 1
${AGENTS}
checks:
  tests: { kind: acceptance, run: "sh check.sh", report: { format: tap } }
tasks:
  limiter:
    description: Turn the limiter into a token bucket that starts with a full burst.
    acceptance_criteria: ${JSON.stringify(CRITERIA)}
    feature_id: FEAT-12
    requires_verification: false
    checklist: [{ item: "the README names the limiter", run: "grep -q limiter README.md" }]
    overlays:
      ${pair("max_iterations: 4")}
      confidence_loop:
        enabled: true
        threshold: 0.8
        metrics:
          - { type: llm_judge, weight: 0.7, evaluator_agent: arbiter }
          - { type: checklist_completion, weight: 0.3 }
      policy_gate: { enabled: true, risk_tier: T0 }
  docs:
    description: Explain bursts in the guide.
    acceptance_criteria: ["explains the burst"]
    requires_verification: false
    overlays: { ${pair("max_iterations: 1")} }
  release:
    agent: dev
    description: Write the release notes.
    depends_on: [docs]
`;

const PORT = `version: 1
name: port of the old limiter
human: { enabled: false }
${AGENTS}
checks: { tests: { kind: acceptance, run: "sh check.sh", report: { format: tap } } }
tasks:
  port:
    description: Call the new limiter everywhere.
    requires_verification: false
    overlays: { ${pair("max_iterations: 1")} }
`;

/** Several mistakes at once. */
const WRONG = `version: 1
name: wrong
agents: { dev: { adapter: command, run: ["true"] } }
chekcs: {}
tasks:
  one: { agent: devv, description: One., max_turns: 0 }
`;

const FILES: Files = {
	"sparring.yaml": WORKFLOW,
	"port.yaml": PORT,
	"wrong.yaml": WRONG,
	"calls.jsonl": `${CALLS.join("\n")}\n`,
	"check.sh": CHECK,
	"tests.txt": "takes\n",
	"src/limiter.js": "export const take = () => true;\n",
	"README.md": "A limiter.\n",
};

/** Characters of the path of a home: all texts that hold it are equally long wherever the tests run. */
const HOME_LENGTH = 96;

export interface GoldenState {
	readonly repo: TestRepository;
	/** What `spar run` showed on a terminal of 80 columns. */
	readonly shownByRun: string;
	remove(): void;
}

/**
 * A repository with two runs: an older one that failed, and one in which a task is merged, one waits for a person and one
 * for that task. Times stand still; recorded agents answer.
 */
export async function goldenState(): Promise<GoldenState> {
	const folder = mkdtempSync(join(tmpdir(), "golden-"));
	const padded = join(folder, "x".repeat(Math.max(1, HOME_LENGTH - folder.length - 18)));
	mkdirSync(padded);
	vi.stubEnv("TMPDIR", padded);
	const repo = repository({ files: FILES, name: "limiter" });
	vi.unstubAllEnvs();
	vi.setSystemTime("2026-01-02T03:04:05Z");
	await spar(repo, ["run", "port.yaml"]);
	vi.setSystemTime("2026-01-02T05:06:07Z");
	const { shown } = await spar(repo, ["run"], { columns: 80, env: { NO_COLOR: "1" } });
	const database = new DatabaseSync(join(repo.root, ".sparring/sparring.db"));
	// The one number that depends on the machine.
	database.exec("UPDATE task_spending SET work_ms = 125000");
	database.close();
	return {
		repo,
		shownByRun: shown,
		remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
	};
}
