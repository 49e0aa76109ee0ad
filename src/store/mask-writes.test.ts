import { expect, test } from "vitest";
import type { Masker } from "../masking/masking.ts";
import type { TraceEvent } from "../trace/event.ts";
import { maskWrite, maskWrites } from "./mask-writes.ts";
import {
	answer,
	call,
	event,
	evidence,
	finding,
	item,
	pairRecord,
	RUN,
	scored,
	TASK,
	turn,
} from "./record-builders.contract.ts";
import type { Write } from "./records.ts";

const SECRET = "hunter2hunter2";
const SAID = `before ${SECRET} after`;
const MASKED = "before [X] after";
const masker: Masker = {
	mask: (text) => text.replaceAll(SECRET, "[X]"),
	longest: SECRET.length,
};

const of = { runId: RUN, taskId: TASK } as const;
const told = (data: object, type = "turn-routed"): TraceEvent =>
	// A test may hand in what no type promises.
	({ ...event(1), type, data }) as TraceEvent;

const part = { directive: SAID, notes: SAID, choice: "directive", answeredAt: "" } as const;
const conflict = {
	conflictId: SECRET,
	threadId: SECRET,
	taskId: SECRET,
	developerVerdict: "PASS",
	reviewerVerdict: "FAIL",
	resolution: "AUTO",
	tieBreakerDecision: "PASS",
	attemptCount: 1,
	resolvedAt: "",
} as const;

/** A write of each kind in which everything that anybody says holds a secret, and every name is one. */
const FULL: { readonly [Kind in Write["kind"]]: Extract<Write, { kind: Kind }> } = {
	run: { kind: "run", runId: SECRET, patch: { landedCommit: SECRET } },
	task: {
		kind: "task",
		...of,
		patch: { failureReason: SAID, branch: SECRET, commit: SECRET, humanItem: SECRET },
	},
	step: {
		kind: "step",
		key: { ...of, turn: 1, step: SECRET },
		result: { reason: SAID, commit: SECRET, next: SECRET, notes: [SAID, { rationale: SAID }] },
	},
	call: {
		kind: "call",
		call: call({
			taskId: SECRET,
			agent: SECRET,
			transcriptPath: SECRET,
			report: SAID,
			reportProblem: SAID,
			message: SAID,
		}),
	},
	turn: {
		kind: "turn",
		turn: turn({
			taskId: SECRET,
			commit: SECRET,
			tree: SECRET,
			route: SECRET,
			reasons: [
				{ kind: "criterion_unmet", criterion: SAID },
				{ kind: "check_short", check: SECRET, status: "fail", why: SAID },
				{ kind: "finding_open", id: SECRET, severity: "major", state: "open", issue: SAID },
			],
			rationale: SAID,
			notes: SAID,
			openIssues: [SAID],
			claims: [{ criterion: SAID, met: true, tests: [SAID] }],
		}),
	},
	evidence: {
		kind: "evidence",
		...of,
		turn: 1,
		attempt: 0,
		evidence: evidence({
			check: SECRET,
			tree: SECRET,
			definition: SECRET,
			outputPath: SECRET,
			reason: SAID,
			details: [SAID],
			outputTail: SAID,
			touched: [SAID],
			cases: [
				{ id: SAID, status: "failed", message: SAID },
				{ id: SAID, status: "passed" },
			],
			coverage: { kind: "absent", reason: SAID, total: null, unreported: [SAID] },
		}),
	},
	finding: {
		kind: "finding",
		...of,
		finding: finding({
			id: SECRET,
			file: SECRET,
			subtask: SECRET,
			issue: SAID,
			criterion: SAID,
			suggestion: SAID,
			dispute: { reason: SAID, evidence: SAID, turn: 1 },
			ruling: { by: "person", decision: "FAIL", rationale: SAID, turn: 1 },
		}),
	},
	"pair-session": { kind: "pair-session", record: pairRecord() },
	score: { kind: "score", score: scored({ agent: SECRET, taskId: SECRET }) },
	"score-outcome": { kind: "score-outcome", ...of, turn: 1, patch: { human: "accepted" } },
	conflict: {
		kind: "conflict",
		runId: RUN,
		record: { ...conflict, rationale: SAID, escalationReason: SAID },
		about: { finding: SECRET, turn: 1, disputeTurn: 1, tieBreaker: "arbiter" },
	},
	"conflict-paused": {
		kind: "conflict-paused",
		runId: RUN,
		conflictId: SECRET,
		event: told({ conflict: SECRET, reason: SAID }, "PAUSED_FOR_USER_ESCALATION"),
	},
	item: {
		kind: "item",
		item: item({
			id: SECRET,
			taskId: SECRET,
			reason: SAID,
			context: {
				branch: SECRET,
				commit: SECRET,
				diff_path: SECRET,
				reasons: [SAID],
				task: { id: SECRET, description: SAID, acceptance_criteria: [SAID] },
				conflicts: [
					{ finding: SECRET, developer: { reason: SAID, evidence: null }, tie_breaker: null },
				],
			},
			answer: answer({ directive: SAID, notes: SAID, reason: SAID }),
			parts: { [SECRET]: part },
		}),
	},
	"item-consumed": { kind: "item-consumed", itemId: SECRET },
	event: {
		kind: "event",
		run: SECRET,
		event: told({ reason: SAID, argument: { text: SAID, evidence: null }, agent: SECRET }),
	},
	time: { kind: "time", runId: SECRET, heldMs: 1, tasks: { [SECRET]: 1 } },
	"budget-warned": {
		kind: "budget-warned",
		runId: RUN,
		taskId: SECRET,
		budget: "usd",
		event: told({ scope: "task", note: SAID }, "budget-warned"),
	},
};

/** Everything that was said is masked, every name is as it was. */
const expected = (write: Write): unknown =>
	JSON.parse(JSON.stringify(write).replaceAll(SAID, MASKED));

test.each(Object.values(FULL))(
	"what is said in a write of kind $kind is masked, and no name is",
	(write) => {
		expect(JSON.parse(JSON.stringify(maskWrite(masker, write)))).toEqual(expected(write));
	},
);

test("what holds nothing of the kind is the same write", () => {
	const empty: Write[] = [
		{ kind: "finding", ...of, finding: finding({ ruling: null }) },
		{ kind: "item", item: item({ parts: null }) },
		{ kind: "task", ...of, patch: { status: "running", failureReason: null } },
		{ kind: "evidence", ...of, turn: 1, attempt: 0, evidence: evidence() },
		{ kind: "step", key: { ...of, turn: 1, step: "a" }, result: null },
		{ kind: "step", key: { ...of, turn: 1, step: "a" }, result: 7 },
	];
	expect(maskWrites(masker, empty)).toEqual(empty);
});

test("texts that are too short for any secret are not even looked at", () => {
	const looked: string[] = [];
	const watching: Masker = {
		mask: (text) => {
			looked.push(text);
			return text;
		},
		longest: 0,
	};
	maskWrite(watching, { kind: "turn", turn: turn({ notes: "1234567", rationale: "12345678" }) });
	expect(looked).toEqual(["burst is not refused", "12345678"]);
});

test("a list of objects under the name of names is looked into", () => {
	const write = {
		kind: "step",
		key: { ...of, turn: 1, step: "a" },
		result: { tasks: [{ a: SAID }] },
	};
	expect(maskWrite(masker, write as Write)).toMatchObject({ result: { tasks: [{ a: MASKED }] } });
});

test("a stored report decides what it decided: whoever reads it again finds its fields", () => {
	const greedy: Masker = { mask: (text) => text.replaceAll("severity", "[X]"), longest: 8 };
	const report = '{"severity":"critical","issue":"no severity"}';
	const write = maskWrite(greedy, { kind: "call", call: { ...call(), report } });
	expect(write).toMatchObject({ call: { report: '{"severity":"critical","issue":"no [X]"}' } });
});

test("what somebody wrote under a key that names something elsewhere is masked", () => {
	const attempts = [{ what: SAID, command: SAID, outcome: SECRET }];
	expect(written({ attempts })).toEqual({
		attempts: [{ what: MASKED, command: MASKED, outcome: "[X]" }],
	});
	expect(written({ item: SAID })).toEqual({ item: MASKED });
	expect(written({ item: SECRET, outcome: SECRET })).toEqual({ item: SECRET, outcome: SECRET });
});

function written(data: object): unknown {
	const write = maskWrite(masker, { kind: "event", run: RUN, event: told(data) });
	return write.kind === "event" ? write.event.data : undefined;
}
