import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Suspicion, suspicion } from "../wall/suspicion.ts";
import { blockers, effectiveVerdict } from "./effective-verdict.ts";
import { aFinding } from "./finding-builder.fixture.ts";
import { updateLedger } from "./ledger.ts";
import {
	isUnquoted,
	judgedSuspicions,
	type SuspicionAnswer,
	shownSuspicion,
	unsettled,
	withCoachAnswers,
	withPersonAnswers,
} from "./suspicion-answers.ts";
import { verdictReasonText } from "./verdict-reason.ts";

const suspect = (around = "if (x)"): Suspicion =>
	suspicion({ rule: "ends_process", file: "a.js", line: 3, text: "+ process.exit(1);" }, [around]);
const one = suspect();
const { id } = one;
type Word = Parameters<typeof withCoachAnswers>[1]["suspicions_status"][number];
const said = (ok: boolean, of = id): Word => ({ id: of, ok, reason: " why ", asked_for: "" });
const TOLD = ["Fees are rounded up.", "The least fee is 30."];
const answered = (words: readonly Word[], suspected: Suspicion = one, turn = 2) => ({
	suspicions: [suspected],
	answers: withCoachAnswers(
		{ suspicions: [suspected], answers: [] },
		{ suspicions_status: [...words] },
		{ turn, told: TOLD },
	),
});
const stateOf = (
	given: Parameters<typeof judgedSuspicions>[0],
	findings: Parameters<typeof judgedSuspicions>[1] = [],
) => judgedSuspicions(given, findings)[0]?.state;

describe("an answer", () => {
	test("accepts or refuses the suspicion that it names, and nothing without a word", () => {
		expect(stateOf(answered([said(true)]))).toBe("accepted");
		expect(stateOf(answered([said(false)]))).toBe("refused");
		expect(stateOf(answered([]))).toBe("open");
		expect(stateOf(answered([said(true, "s-other"), said(true, "F1")]))).toBe("open");
	});

	test("that contradicts itself is a refusal", () => {
		expect(stateOf(answered([said(true), said(false), said(true)]))).toBe("refused");
	});

	test("holds for the same place alone, and the id stays the same", () => {
		const moved = suspect("else");
		expect(moved.id).toBe(id);
		expect(stateOf({ ...answered([said(true)]), suspicions: [moved] })).toBe("open");
		expect(stateOf({ ...answered([said(false)]), suspicions: [moved] })).toBe("open");
	});

	test("of a person accepts, and is shown as such", () => {
		const answers = withPersonAnswers(answered([said(false)]), { reason: "a command", turn: 3 });
		const [judged] = judgedSuspicions({ suspicions: [one], answers }, []);
		expect(judged && shownSuspicion(judged)).toEqual({
			id,
			rule: "ends_process",
			kind: "acts_on_tests",
			file: "a.js",
			line: 3,
			ok: true,
			reason: "a command",
			by: "person",
		});
	});

	test("that another expectation is right counts only with the task's words that ask for it", () => {
		const lines = "- assert.equal(fee(10), 20);\n+ assert.equal(fee(10), 30);";
		const other = suspicion(
			{ rule: "other_expected", file: "test/a.test.js", line: 3, text: lines },
			[],
		);
		const yes = (words: string): Word => ({ ...said(true, other.id), asked_for: words });
		expect(stateOf(answered([yes("the least  fee is 30")], other))).toBe("accepted");
		for (const words of ["", "30", "the least fee is 40", "rounded up", "Fees are free"]) {
			expect(stateOf(answered([yes(words)], other)), words).toBe("open");
			expect(isUnquoted(other, { suspicions_status: [yes(words)] })).toBe(true);
		}
		expect(stateOf(answered([{ ...yes(""), ok: false }], other))).toBe("refused");
		expect(stateOf({ ...answered([], other), verified: true }), "a verifier's tests").toBe(
			"accepted",
		);
		expect(stateOf({ ...answered([]), verified: true })).toBe("open");
		expect(isUnquoted(one, { suspicions_status: [said(true)] })).toBe(false);
	});

	test("to what the task allows was given by the task", () => {
		const allowed = suspicion(
			{ rule: "allowed_change", file: "a.test.js", line: 1, text: "+ 1" },
			[],
		);
		const [judged] = judgedSuspicions({ suspicions: [allowed], answers: [] }, []);
		expect(judged).toMatchObject({ state: "accepted", by: null });
	});

	test("that nobody gave is shown as none", () => {
		const [judged] = judgedSuspicions(answered([]), []);
		expect(judged && shownSuspicion(judged)).toMatchObject({ ok: null, reason: null, by: null });
	});

	test("that is repeated does not outlive the ruling on it, and one about a new place does", () => {
		const ruling = { by: "person", decision: "PASS", rationale: "", turn: 2 } as const;
		const findings = [aFinding({ suspicion: id, state: "overruled", ruling })];
		const repeated = withCoachAnswers(
			answered([said(false)]),
			{ suspicions_status: [said(false)] },
			{ turn: 3, told: TOLD },
		);
		expect(stateOf({ suspicions: [one], answers: repeated }, findings)).toBe("accepted");
		const moved = suspect("else");
		expect(stateOf(answered([said(false)], moved, 3), findings)).toBe("refused");
	});

	test("no answer but an acceptance of the present place settles", () => {
		const answers: fc.Arbitrary<SuspicionAnswer> = fc.record({
			id: fc.constantFrom(id, "s-other"),
			place: fc.constantFrom(one.place, "elsewhere"),
			ok: fc.boolean(),
			reason: fc.constant(""),
			by: fc.constant("coach"),
			turn: fc.nat(3),
		});
		fc.assert(
			fc.property(fc.uniqueArray(answers, { selector: (a) => a.id + a.place }), (known) => {
				const left = unsettled(judgedSuspicions({ suspicions: [one], answers: known }, []));
				const held = known.some((a) => a.id === id && a.place === one.place && a.ok);
				expect(left.length === 0).toBe(held);
			}),
		);
	});
});

describe("the verdict", () => {
	const input = { criteria: [], open: [], evidence: [] };
	const left = (words: readonly Word[]) => unsettled(judgedSuspicions(answered(words), []));

	test("is no approval while a suspicion has no answer, or a refusal", () => {
		const report = { decision: "approve", rationale: "" } as const;
		const reasons = [[], [said(false)]].map((words) => {
			const verdict = effectiveVerdict({ ...input, suspicions: left(words), report });
			expect(verdict).toMatchObject({ raw: "approve", effective: "feedback" });
			return verdict.reasons.map(verdictReasonText);
		});
		const head = `suspicion ${id} at a.js:3 (product code that ends the process was added)`;
		expect(reasons).toEqual([[`${head}: nobody answered it`], [`${head}: not accepted: why`]]);
		const clear = { ...input, suspicions: left([said(true)]), report };
		expect(effectiveVerdict(clear).effective).toBe("approve");
	});

	test("names a suspicion once where its finding is open", () => {
		const open = [aFinding({ suspicion: id })];
		const named = blockers({ ...input, open, suspicions: left([said(false)]) });
		expect(named.map(({ kind }) => kind)).toEqual(["finding_open"]);
	});
});

describe("the ledger", () => {
	const report = { feedback_items: [], findings_status: [] };
	const ledger = (
		words: readonly Word[] | null,
		more: Partial<Parameters<typeof updateLedger>[0]> = {},
	) =>
		updateLedger({
			open: [],
			sameIssue: [],
			nextNumber: 4,
			report,
			criteria: [],
			subtask: null,
			turn: 5,
			changedFiles: new Set<string>(),
			round: 4,
			suspicions: words === null ? [] : judgedSuspicions(answered(words), []),
			...more,
		});

	test("a refusal is one major finding, whatever the reason, and never late", () => {
		const { open } = ledger([said(false)]);
		expect(open).toMatchObject([
			{ id: "F4", severity: "major", file: "a.js", line: 3, late: false, suspicion: id },
		]);
		const [silent] = ledger([{ id, ok: false, reason: "", asked_for: "" }]).open;
		expect(open[0]?.issue).toBe(`${silent?.issue}: why`);
		const again = ledger([{ ...said(false), reason: "other words" }], { open });
		expect({ changed: again.changed, open: again.open }).toEqual({ changed: [], open });
	});

	test("it closes with an acceptance or when the place is gone, and comes back under its id", () => {
		const { open } = ledger([said(false)]);
		expect(ledger([said(true)], { open }).changed).toMatchObject([{ state: "withdrawn" }]);
		const gone = ledger(null, { open }).changed;
		expect(gone).toMatchObject([{ id: "F4", state: "fixed" }]);
		expect(ledger([said(false)], { sameIssue: gone }).open).toMatchObject([
			{ id: "F4", state: "reopened" },
		]);
	});

	test("the word fixed does not close it while the place stands and is refused", () => {
		const { open } = ledger([said(false)]);
		const word = { ...report, findings_status: [{ id: "F4", status: "fixed" as const }] };
		expect(ledger([said(false)], { open, report: word }).open).toEqual(open);
	});
});
