import { expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { call } from "../../store/record-builders.contract.ts";
import type { QuestionTo } from "../roles.ts";
import { eventsOf, scene, theFacts } from "../scene.contract.ts";
import { coachTurn } from "./coach-turn.ts";

const pair = theFacts({ task: { pair: { challenger: "eve" } } });
const green = {
	evidence: () =>
		Promise.resolve([evidence(), evidence({ check: "integrity", kind: "integrity" })]),
};

/** A coach that hands in these reports, one after another; what it was asked with. */
function coach(...reports: readonly (string | null)[]) {
	const asked: unknown[] = [];
	const seat = (said: Pick<QuestionTo<"coach">, "nth" | "refused">) => {
		asked.push(said.refused == null ? null : "the error");
		const report = reports[said.nth] ?? null;
		return Promise.resolve({
			kind: "answered" as const,
			call: call({ role: "coach", agent: "eve", report }),
			outcome: null,
		});
	};
	return { asked, seats: { coach: seat } };
}

const approval = JSON.stringify({
	decision: "approve",
	rationale: "it works",
	requirements_status: [{ criterion: "it works", met: true }],
});

test("a single agent has no coach", async () => {
	const { input, done } = scene();
	expect((await coachTurn(input)).passedThrough).toBe("no pair: a single agent works");
	expect(done).toEqual([]);
});

test("an approval with green evidence is one, and the round and its commit are remembered", async () => {
	const { seats } = coach(approval);
	const { update, writes } = await coachTurn(scene({ facts: pair, read: green, seats }).input);
	expect(update).toEqual({ next: "go", round: 1, reviewed: "c2", critical: false });
	expect(writes).toMatchObject([
		{ kind: "turn", turn: { raw: "approve", effective: "approve" } },
		{ kind: "task", patch: { challengerApproved: true, openFindings: 0 } },
		{ event: { type: "turn-judged" } },
	]);
});

test("an approval without evidence is overruled", async () => {
	const { seats } = coach(approval);
	const { writes } = await coachTurn(scene({ facts: pair, seats }).input);
	expect(writes?.[0]).toMatchObject({ turn: { raw: "approve", effective: "feedback" } });
});

test("a report that cannot be read is asked for once more with its error", async () => {
	const { seats, asked } = coach("no json", approval);
	const { update, writes } = await coachTurn(scene({ facts: pair, read: green, seats }).input);
	expect(asked).toEqual([null, "the error"]);
	expect(update.next).toBe("go");
	expect(eventsOf(writes)).toEqual(["report-rejected", "turn-judged"]);
});

test("two such reports are the role's error: nothing is approved", async () => {
	const { seats } = coach("no json", "nor this");
	const { input, done } = scene({ facts: pair, read: green, seats });
	const { update, writes } = await coachTurn(input);
	expect(update).toMatchObject({
		next: "halt",
		trigger: "role_error",
		reason: { kind: "role_failed", role: "coach", agent: "eve" },
	});
	expect(eventsOf(writes)).toEqual(["report-rejected", "report-rejected"]);
	expect(done).toEqual(["episode coach"]);
});

test("a failure of the fallback names the fallback", async () => {
	const failed = call({ agent: "spare", outcome: "network", message: "gone" });
	const seats = { coach: () => Promise.resolve({ kind: "failed" as const, call: failed }) };
	const { update } = await coachTurn(scene({ facts: pair, seats }).input);
	expect(update).toMatchObject({ reason: { why: "its fallback spare: gone", failure: "network" } });
});

test("a spent budget stops the turn", async () => {
	const seats = { coach: () => Promise.resolve({ kind: "unpaid" as const, reason: "spent" }) };
	const { update } = await coachTurn(scene({ facts: pair, seats }).input);
	expect(update).toMatchObject({ trigger: "budget", reason: { why: "spent" } });
});

test("in a formal review the task's own agent judges, and its word is told", async () => {
	const facts = theFacts({ task: { formalReview: true }, workflow: { checks: [] } });
	const { seats } = coach(approval);
	const read = { evidence: () => Promise.resolve([]) };
	const { writes } = await coachTurn(scene({ facts, seats, read }).input);
	expect(eventsOf(writes)).toEqual(["turn-judged", "review-decided"]);
});

test.each([
	{ what: "green evidence", read: green, part: {}, expected: ["prepare assembled c2"] },
	{ what: "no evidence", read: {}, part: {}, expected: [] },
	{
		what: "merge.into: none",
		read: green,
		part: { workflow: { merge: { into: "none", style: "squash", message: "{title}" } } },
		expected: [],
	},
	{ what: "a person to ask", read: green, part: { task: { requiresHuman: true } }, expected: [] },
	{
		what: "a further subtask",
		read: green,
		part: { subtask: { id: "a", index: 0, isLast: false } },
		expected: [],
	},
] satisfies {
	what: string;
	read: object;
	part: Parameters<typeof theFacts>[0];
	expected: string[];
}[])(
	"with $what, a cold setup is begun while the coach works: $expected",
	async ({ read, part, expected }) => {
		const facts = theFacts({ ...part, task: { pair: { challenger: "eve" }, ...part.task } });
		const seats = {
			coach: ({ meanwhile }: Pick<QuestionTo<"coach">, "meanwhile">) => {
				// An attempt that failed is followed by another one.
				meanwhile();
				meanwhile();
				return Promise.resolve({
					kind: "answered" as const,
					call: call({ role: "coach", agent: "eve", report: approval }),
					outcome: null,
				});
			},
		};
		const { input, done } = scene({ facts, read, seats });
		await coachTurn(input);
		expect(done).toEqual(expected);
	},
);
