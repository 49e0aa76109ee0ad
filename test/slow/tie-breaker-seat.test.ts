import { join } from "node:path";
import { expect, test } from "vitest";
import {
	CRITERION,
	dataOf,
	outcomeOf,
	type Stage,
	sendsBack,
	stage,
	textLike,
	WORKS,
} from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import type { Step } from "../support/scripted-agents.ts";
import { stateRows } from "../support/state-rows.ts";

const AGENT = join(import.meta.dirname, "../support/agent.cjs");
const NO_KEY = { GEMINI_API_KEY: "", GOOGLE_API_KEY: "", GOOGLE_GENERATIVE_AI_API_KEY: "" };

/** A dispute in the second turn that the coach upholds. */
const DISPUTE: readonly Step[] = [
	{
		role: "player",
		turn: 2,
		run: "echo two >> work.txt",
		report: { disputes: [{ finding: "F1", reason: "the caller retries", evidence: "caller.js" }] },
	},
	WORKS,
	{
		role: "coach",
		turn: 1,
		report: sendsBack({ issue: "the retry is missing", severity: "major" }),
	},
	{
		role: "coach",
		report: {
			decision: "feedback",
			rationale: "I stand by it.",
			requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
			findings_status: [{ id: "F1", status: "open", reason: "nobody else retries" }],
		},
	},
];
const DECIDES: Step = {
	role: "tie_breaker",
	report: { verdict: "PASS", rationale: "the caller does retry" },
};

/** A pair of `dev` and `coach` that cannot agree, beside these agents; no key for a Gemini model is set. */
const disagreement = (agents: object, human = false): Stage =>
	stage({ human, steps: [...DISPUTE, DECIDES], workflow: { agents } });

const third = { adapter: "command", run: ["node", AGENT, "agents.json"] };
const GEMINI = "google/gemini-flash-latest";

test("where no `tie_breaker` is configured and Gemini can't be asked, an agent that holds no seat of the task is asked, and named", async () => {
	const made = disagreement({ third });
	const run = await made.spar(["run", "--json"], { env: NO_KEY });
	expect(outcomeOf(run).task).toMatchObject({ merged: true, turns: 2 });
	// Both orders of the sides ask the same agent, which is chosen and told of once.
	expect(dataOf(made.trace(), "agent-replaced")).toEqual([
		{ role: "tie_breaker", agent: GEMINI, fallback: "third", why: textLike("needs a key") },
	]);
	expect(run.stderr).toContain(`tie-breaker ${GEMINI} is replaced by third`);
	expect(run.stderr).toContain("PASS, the tie-breaker third takes the player's side");
	const asked = dataOf(made.trace(), "agent-called").filter(({ role }) => role === "tie_breaker");
	expect(asked.map(({ agent }) => agent)).toEqual(["third", "third"]);
	expect(dataOf(made.trace(), "conflict-resolved")).toMatchObject([
		{ resolution: "AUTO", decision: "PASS", tie_breaker: "third" },
	]);
	const rows = "SELECT tie_breaker FROM conflict_subjects";
	expect(stateRows(made.repo, rows)).toEqual([{ tie_breaker: "third" }]);
	expect(await made.json("findings", "one")).toMatchObject([
		{ conflicts: [{ tie_breaker: "third" }] },
	]);
});

thorough("without an agent that can be asked it escalates as before", async () => {
	const made = disagreement({ third: { adapter: "command", run: ["no-such-program"] } }, true);
	const { code, task } = outcomeOf(await made.spar(["run", "--json"], { env: NO_KEY }));
	expect({ code, status: task.status }).toEqual({ code: 3, status: "paused_for_human" });
	expect(dataOf(made.trace(), "agent-replaced")).toEqual([]);
	expect(dataOf(made.trace(), "conflict-resolved")).toMatchObject([
		{ resolution: "ESCALATE", escalation_reason: textLike("GEMINI_API_KEY"), tie_breaker: GEMINI },
	]);
});
