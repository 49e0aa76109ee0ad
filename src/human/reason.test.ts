import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import type { ConflictsReason } from "../trace/conflicts-reason.ts";
import { anItem } from "./item-builder.contract.ts";
import {
	questionReason,
	type Reason,
	reasonParts,
	reasonText,
	shortReason,
	toldReason,
} from "./reason.ts";

const conflicts = (whys: readonly string[], critical: readonly string[] = []): ConflictsReason => ({
	kind: "conflicts",
	conflicts: whys.map((why, index) => ({ finding: `F${index + 1}`, attempt: 1, why })),
	critical: critical.map((finding) => ({ finding, issue: "the key\nis printed" })),
});
const line = (reason: Reason): string => {
	const { first, rest } = shortReason(toldReason(reason));
	return `${first}${rest}`;
};

test.each<[Reason, string]>([
	[{ kind: "max_turns", bound: 3 }, "Max turns (3) reached without approval"],
	[{ kind: "merge_refused", times: 3 }, "the merge was refused 3 times"],
	[
		{ kind: "evidence_short", names: ["tests", "integrity"] },
		"required evidence is missing or failed: tests, integrity",
	],
	[
		{ kind: "role_failed", role: "player", agent: "dev", why: "30m", failure: "timeout" },
		"the player dev failed (timeout): 30m",
	],
	[
		{ kind: "role_failed", role: "coach", agent: "eve", why: "no JSON" },
		"the coach eve gave no verdict: no JSON",
	],
	[
		{ kind: "role_failed", role: "player", agent: "dev", why: "who knows", failure: "unknown" },
		"the player dev failed: who knows",
	],
	[
		{ kind: "role_failed", role: "coach", agent: "eve", why: "run /login", failure: "signed_out" },
		"the coach eve is not signed in; sign in and answer yes: run /login",
	],
	[
		{ kind: "role_failed", role: "player", agent: "dev", why: "ECONNREFUSED", failure: "network" },
		"the player dev cannot reach its service; answer yes once this machine is online, or once sandbox.allow_hosts names the service, if it is one of your own: ECONNREFUSED",
	],
	[
		{ kind: "role_failed", role: "player", agent: "dev", why: "529", failure: "unavailable" },
		"the player dev is refused by its service, which has trouble of its own; answer yes in some minutes, or name another agent (spar resume --player, --coach): 529",
	],
	[
		{ kind: "nothing_changed", report: "no report was handed in" },
		"the files are as they were at the start, and no coach showed with passed tests that the work was there already; the player's report cannot be used: no report was handed in",
	],
	[
		{
			kind: "checks_spoilt",
			of: "assembled",
			checks: [{ check: "tests", status: "error", reason: null }],
		},
		"the assembled tree could not be checked: tests could not be judged: no reason",
	],
	[
		{ kind: "no_worker", tags: [], unfit: [], minutes: 10 },
		"no worker has been there for 10 minutes",
	],
	[
		{ kind: "no_worker", tags: ["gpu", "mac"], unfit: [], minutes: 1 },
		"no worker with the tags gpu, mac has been there for 1 minute",
	],
	[
		{ kind: "no_worker", tags: [], unfit: [{ machine: "one", why: "no claude" }], minutes: 10 },
		"no worker has been able to do it for 10 minutes: one: no claude",
	],
	[{ kind: "rejected", why: null }, "rejected by a person: no reason given"],
	[
		{ kind: "false_reports", agent: "dev", reports: 3, about: ["b.js"] },
		"3 reports in a row by dev make false claims; the last about b.js",
	],
	[
		{ kind: "false_reports", agent: "dev", reports: 3, about: ["a", "b\nb", "c", "d"] },
		"3 reports in a row by dev make false claims; the last about a, b b, c, ...",
	],
	[
		{ kind: "max_turns", bound: 3, granted: "refused_merge" },
		"Max turns (3) reached without approval, those included that a refused merge granted",
	],
	[
		{ kind: "max_turns", bound: 3, though: "taken" },
		"Max turns (3) reached without approval; the player's output was taken, but evidence still stands against it",
	],
	[
		{
			kind: "checks_spoilt",
			of: "turn",
			checks: [{ check: "tests", status: "absent", reason: "no npm" }],
		},
		"checks gave no result, and the player is not the cause: tests is absent: no npm",
	],
	[{ kind: "overruled", findings: ["F1"] }, "overruled: F1"],
	[{ kind: "suspicions_open", ids: ["s-1"] }, "a suspicion needs an answer: s-1"],
	[{ kind: "suspicions_open", ids: ["s-1", "s-2"] }, "2 suspicions need an answer: s-1, s-2"],
	[
		{
			kind: "suspicions_open",
			ids: ["s-1", "s-2"],
			places: ["a.js:3 (it ends)", "b.js (it hides)"],
		},
		"2 suspicions need an answer: s-1 at a.js:3 (it ends), s-2 at b.js (it hides)",
	],
	[
		{ kind: "untested", lacks: "checks", approval: null },
		"nothing was tested: the workflow has no checks",
	],
	[
		{ kind: "untested", lacks: "acceptance check", approval: { kind: "approved" } },
		"the coach approved and nothing blocks; nothing was tested: the workflow has no acceptance check",
	],
	[{ kind: "exit_holds", condition: "loop.turn > 1" }, "exit condition holds: loop.turn > 1"],
	[{ kind: "blocked", findings: 2 }, "2 blocking findings open"],
	[{ kind: "tests_failed", count: 2 }, "2 of the verifier's tests failed"],
	[
		{ kind: "tests_disputed", findings: ["F1", "F3"] },
		"the player disputes tests that the verifier upholds: F1, F3",
	],
	[{ kind: "verification_exhausted", attempts: 1 }, "the verifier's tests failed once"],
	[{ kind: "verification_exhausted", attempts: 3 }, "the verifier's tests failed 3 times"],
	[{ kind: "review_refused", why: "no" }, "the formal review did not approve: no"],
	[{ kind: "setup_failed", why: "no npm" }, "the setup failed in the player's checkout: no npm"],
	[
		{ kind: "setup_failed", why: "exit code 1", said: ["npm error 404"] },
		`the setup failed in the player's checkout: "npm error 404" (exit code 1)`,
	],
	[
		{ kind: "budget_spent", why: "the budget of the run is spent: $2" },
		"the budget of the run is spent: $2",
	],
	[{ kind: "session_corrupt", why: "it was edited" }, "it was edited"],
	[
		{ kind: "signature_needed", task: "one", turn: 2 },
		"the T2 gate of one passed at turn 2 and needs a signature before the merge",
	],
	[
		{ kind: "word_needed", task: "one", turn: 2 },
		"turn 2 of one is done and needs your approval before it merges",
	],
	[
		{ kind: "quota_spent", agent: "dev", resetsAt: null, said: "no more", fails: false },
		"the account of dev has reached its limit, and nobody said when that is lifted: no more",
	],
	[
		{
			...({ kind: "quota_spent", agent: "dev", said: "no\nmore", fails: true } as const),
			resetsAt: "2026-11-25T05:30:00.000Z",
		},
		"the account of dev has reached its limit, which is lifted at 2026-11-25 05:30 UTC: no more",
	],
	[
		{ kind: "checks_spoilt", of: "turn", checks: [{ check: "t", status: "error", reason: null }] },
		"checks gave no result, and the player is not the cause: t could not be judged: no reason",
	],
	[{ kind: "rejected", why: "wrong way" }, "rejected by a person: wrong way"],
	[{ kind: "critical" }, "a critical finding needs a person's decision"],
	[
		{ kind: "branch_moved", branch: "b", times: 3, task: "one" },
		"b moved 3 times while one was merging",
	],
])("%j reads %j", (reason, text) => {
	expect(reasonText(reason)).toBe(text);
	expect(toldReason(reason)).toEqual({ reason: text });
});

test("each conflict and each critical finding is a part and a line of its own", () => {
	const reason = conflicts(["a\nb", "c"], ["F3"]);
	expect(reasonParts(toldReason(reason))).toEqual([
		{ text: "Conflict about F1 (attempt 1): a b", isCritical: false },
		{ text: "Conflict about F2 (attempt 1): c", isCritical: false },
		{ text: "Critical: F3: the key is printed", isCritical: true },
	]);
	expect(reasonText(reason).split("\n")).toHaveLength(3);
});

test("a reason about anything else is one part, whatever its lines say", () => {
	const text = "agent failed:\nConflict about F1 (attempt 1): a\nCritical: F2: b";
	expect(reasonParts({ reason: text })).toEqual([{ text, isCritical: false }]);
});

test("on one line stand the first conflict, how many more, and what is critical", () => {
	const first = "Conflict about F1 (attempt 1): the answers differ";
	expect(line(conflicts(["the answers differ."]))).toBe(`${first}.`);
	expect(line(conflicts(["the answers differ.", "b"]))).toBe(`${first}; and 1 more`);
	expect(line(conflicts(["the answers differ."], ["F3"]))).toBe(`${first}; critical: F3`);
	const many = conflicts(["a", "b", "c"], ["F3", "F4", "F4", "F5", "F6"]);
	expect(line(many)).toMatch(/: a; and 2 more; critical: F3, F4, F5, \.\.\.$/);
	expect(line({ kind: "stalled", sign: "stalled.\nb." })).toBe("stalled.\nb.");
});

test("a question about conflicts tells them from its context", () => {
	const item = anItem({
		trigger: "conflict",
		context: {
			conflicts: [{ finding: "F1", attempt: 2, escalation_reason: "enough" }],
			critical: [{ finding: "F2", issue: "leak" }],
		},
	});
	expect(reasonParts(questionReason(item)).map(({ text }) => text)).toEqual([
		"Conflict about F1 (attempt 2): enough",
		"Critical: F2: leak",
	]);
	expect(questionReason(anItem({ reason: "stuck" }))).toEqual({ reason: "stuck" });
});

test("every fixed reason has its words, and no two the same", () => {
	const kinds = [
		...(["taken", "approved", "evidence_passed", "gate_failed", "conflict_waits"] as const),
		...(["not_approved", "no_exit_holds", "ungated", "critical"] as const),
	];
	const texts = kinds.map((kind) => reasonText({ kind }));
	expect(new Set(texts).size).toBe(kinds.length);
});

test("a conflict without a reason, and a reason without a conflict, are still told", () => {
	const silent = anItem({ trigger: "conflict", context: { conflicts: [{ finding: "F1" }] } });
	const { conflicts: told } = questionReason(silent);
	expect(told?.conflicts).toEqual([{ finding: "F1", attempt: 3, why: "" }]);
	expect(shortReason({ reason: "in words", conflicts: conflicts([]) }).first).toBe("in words");
});

test("whatever agents wrote, a part is one line, and what stands behind the first is short", () => {
	const texts = fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(texts, (whys) => {
			const told = toldReason(conflicts(whys, ["F9"]));
			for (const { text } of reasonParts(told)) expect(text).not.toMatch(/[\r\n]/);
			expect(shortReason(told).rest).toMatch(/^[;:, \w.]{0,70}$/);
		}),
	);
});
