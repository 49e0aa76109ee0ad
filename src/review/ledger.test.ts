import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import type { Finding } from "./finding.ts";
import { aFinding } from "./finding-builder.fixture.ts";
import { isOpen } from "./finding-state.ts";
import { type LedgerInput, reportKeys, updateLedger } from "./ledger.ts";

const finding = (over: Partial<Finding> = {}): Finding =>
	aFinding({ issue: "Burst is not refused", ...over });
const criterion = (
	text: string,
	met: boolean,
	evidence: string | null = null,
): CriterionStatement => ({
	criterion: text,
	met,
	evidence,
	tests: [],
});
type Item = LedgerInput["report"]["feedback_items"][number];
const item = (over: Partial<Item> = {}): Item => ({
	issue: "Burst is not refused",
	severity: "major",
	...over,
});
type Word = LedgerInput["report"]["findings_status"][number];
const round = (
	over: Partial<Omit<LedgerInput, "report">> & { items?: Item[]; said?: Word[] } = {},
) => {
	const { items = [], said = [], ...rest } = over;
	return updateLedger({
		open: [],
		sameIssue: [],
		nextNumber: 5,
		report: { feedback_items: items, findings_status: said },
		criteria: [],
		subtask: null,
		turn: 7,
		changedFiles: null,
		round: 1,
		...rest,
	});
};

describe("new findings", () => {
	test("a new finding belongs to the subtask that is worked on, a known one stays where it was raised", () => {
		const known = finding({ subtask: "core" });
		const { open } = round({
			open: [known],
			subtask: "docs",
			items: [item({ issue: "new" }), item()],
		});
		expect(open.map(({ id, subtask }) => [id, subtask])).toEqual([
			["F1", "core"],
			["F5", "docs"],
		]);
	});

	test("an unknown item becomes a finding with the next number", () => {
		const { open, changed } = round({
			items: [item(), item({ issue: "other", severity: "minor" })],
		});
		expect(open).toEqual([
			finding({ id: "F5", raisedTurn: 7, changedTurn: 7 }),
			finding({ id: "F6", issue: "other", severity: "minor", raisedTurn: 7, changedTurn: 7 }),
		]);
		expect(changed).toEqual(open);
	});

	test("the same item twice in a report is one finding, of the higher severity", () => {
		const { open } = round({
			items: [item({ severity: "minor" }), item({ severity: "critical" })],
		});
		expect(open).toMatchObject([{ id: "F5", severity: "critical" }]);
	});

	test("the same text about two files is two findings", () => {
		expect(round({ items: [item({ file: "a" }), item({ file: "b" })] }).open).toHaveLength(2);
	});

	test("a number that is taken is not given again", () => {
		const { open } = round({ open: [finding({ id: "F9" })], items: [item({ issue: "other" })] });
		expect(open.map(({ id }) => id)).toEqual(["F9", "F10"]);
	});
});

describe("lateness", () => {
	const changedFiles = new Set(["src/a.js"]);
	const late = (over: Partial<Item>, input: Partial<Omit<LedgerInput, "report">> = {}) =>
		round({ items: [item(over)], changedFiles, round: 3, ...input }).open[0]?.late;

	test("from round 3 on a new finding on an unchanged file is late", () => {
		expect(late({ file: "src/b.js" })).toBe(true);
		expect(late({ file: "src/b.js" }, { round: 2 })).toBe(false);
	});

	test("it is not when the file changed, is not named, or when nobody knows what changed", () => {
		expect(late({ file: "src/a.js" })).toBe(false);
		expect(late({})).toBe(false);
		expect(late({ file: "src/b.js" }, { changedFiles: null })).toBe(false);
	});

	test("it is not when it is critical or breaks a criterion", () => {
		expect(late({ file: "src/b.js", severity: "critical" })).toBe(false);
		const criteria = [criterion("refills", true)];
		expect(late({ file: "src/b.js", criterion: "refills" }, { criteria })).toBe(false);
	});

	test("a late finding that is raised again as critical blocks, one that blocked never becomes late", () => {
		const raised = (known: Partial<Finding>, severity: Item["severity"]) =>
			round({
				open: [finding({ file: "src/b.js", ...known })],
				items: [item({ file: "src/b.js", severity })],
				changedFiles,
				round: 3,
			}).open[0]?.late;
		expect(raised({ late: true }, "critical")).toBe(false);
		expect(raised({ late: true }, "major")).toBe(true);
		expect(raised({ late: false }, "major")).toBe(false);
	});
});

describe("known findings", () => {
	test("an item equal to an open finding is that finding: severity rises, gaps are filled", () => {
		const { open, changed } = round({
			open: [finding({ severity: "minor" })],
			items: [item({ issue: "burst is not refused.", file: "a.js", line: 3, suggestion: "do" })],
		});
		expect(open).toEqual([finding({ file: "a.js", line: 3, suggestion: "do" })]);
		expect(changed).toEqual(open);
	});

	test("its severity does not fall, and nothing is stored when nothing changed", () => {
		const known = finding({ severity: "critical" });
		expect(round({ open: [known], items: [item({ severity: "minor" })] })).toEqual({
			open: [known],
			changed: [],
			ignored: [],
		});
	});

	test("the finding of the very file is preferred to one without a file, and an open one to a closed one", () => {
		const open = [finding({ id: "F1" }), finding({ id: "F2", file: "a.js" })];
		const sameIssue = [finding({ id: "F3", file: "a.js", state: "fixed" })];
		const { changed } = round({
			open,
			sameIssue,
			items: [item({ file: "a.js", severity: "critical" })],
		});
		expect(changed.map(({ id }) => id)).toEqual(["F2"]);
	});

	test("an item equal to a fixed finding reopens it under its id", () => {
		const { open } = round({ sameIssue: [finding({ state: "fixed" })], items: [item()] });
		expect(open).toEqual([finding({ state: "reopened", changedTurn: 7 })]);
	});

	test("a settled finding that is repeated without new grounds stays closed and is named", () => {
		for (const state of ["withdrawn", "overruled"] as const)
			expect(round({ sameIssue: [finding({ state })], items: [item()] })).toEqual({
				open: [],
				changed: [],
				ignored: ["F1"],
			});
	});

	test("a settled finding is reopened when it is critical or its file changed", () => {
		for (const state of ["withdrawn", "overruled"] as const) {
			const sameIssue = [finding({ state, file: "a.js" })];
			const reopened = (over: Partial<Item>, files: string[] | null) =>
				round({
					sameIssue,
					items: [item({ file: "a.js", ...over })],
					changedFiles: files === null ? null : new Set(files),
				}).open.length;
			expect(reopened({ severity: "critical" }, [])).toBe(1);
			expect(reopened({}, ["a.js"])).toBe(1);
			expect(reopened({}, ["b.js"])).toBe(0);
			expect(reopened({}, null)).toBe(0);
		}
	});

	test("a criterion reopens what the coach withdrew, not what was overruled", () => {
		const reopened = (state: Finding["state"]) =>
			round({
				sameIssue: [finding({ state })],
				criteria: [criterion("refills", true)],
				items: [item({ criterion: "refills" })],
			}).open.length;
		expect(reopened("withdrawn")).toBe(1);
		expect(reopened("overruled")).toBe(0);
	});
});

describe("the coach's word on open findings", () => {
	test("fixed and withdrawn close a finding, whatever the case of the id", () => {
		const { open, changed } = round({
			open: [finding(), finding({ id: "F2", issue: "other", state: "disputed" })],
			said: [
				{ id: "f1 ", status: "fixed" },
				{ id: "F2", status: "withdrawn" },
			],
		});
		expect(open).toEqual([]);
		expect(changed).toMatchObject([
			{ id: "F1", state: "fixed", changedTurn: 7 },
			{ id: "F2", state: "withdrawn", changedTurn: 7 },
		]);
	});

	test("one that is left out stays open; a disputed one is upheld", () => {
		const { open } = round({ open: [finding(), finding({ id: "F2", state: "disputed" })] });
		expect(open).toMatchObject([
			{ id: "F1", state: "open", changedTurn: 1 },
			{ id: "F2", state: "upheld", changedTurn: 7 },
		]);
	});

	test("what a verifier's test found no word of the coach moves, nor its silence", () => {
		const open = [
			finding({ source: "verification" }),
			finding({ id: "F2", source: "verification", state: "disputed" }),
		];
		const { changed } = round({ open, said: [{ id: "F1", status: "fixed" }] });
		expect(changed).toEqual([]);
	});

	test("contradictory words close nothing, the same word twice does", () => {
		const said = (...statuses: Word["status"][]) =>
			round({ open: [finding()], said: statuses.map((status) => ({ id: "F1", status })) }).open
				.length;
		expect(said("fixed", "withdrawn")).toBe(1);
		expect(said("open", "fixed")).toBe(1);
		expect(said("fixed", "fixed")).toBe(0);
	});

	test("a finding that is called fixed and raised again in one report stays open", () => {
		const { open } = round({
			open: [finding({ state: "disputed" })],
			items: [item()],
			said: [{ id: "F1", status: "fixed" }],
		});
		expect(open).toMatchObject([{ id: "F1", state: "upheld" }]);
	});

	test("a closed finding is moved by no word", () => {
		const sameIssue = [finding({ state: "fixed" })];
		expect(round({ sameIssue, said: [{ id: "F1", status: "withdrawn" }] }).changed).toEqual([]);
	});
});

describe("criteria", () => {
	const own = finding({
		issue: "Criterion not met: refills",
		criterion: "refills",
		source: "criterion",
	});

	test("an unmet criterion without an open finding gets one, with the coach's words", () => {
		const { open } = round({
			criteria: [criterion("refills", false, "it never does"), criterion("stops", false)],
		});
		expect(open).toMatchObject([
			{
				id: "F5",
				issue: "Criterion not met: refills\nit never does",
				severity: "major",
				criterion: "refills",
				source: "criterion",
			},
			{ id: "F6", issue: "Criterion not met: stops", source: "criterion" },
		]);
	});

	test("an item that names the criterion makes that needless", () => {
		const { open } = round({
			criteria: [criterion("refills", false)],
			items: [item({ criterion: "refills", severity: "minor" })],
		});
		expect(open).toMatchObject([{ id: "F5", source: "coach", criterion: "refills" }]);
	});

	test("when the criterion is met, Sparring's finding is fixed, or withdrawn when the coach says so", () => {
		const criteria = [criterion("refills", true)];
		expect(round({ open: [own], criteria }).changed).toMatchObject([{ state: "fixed" }]);
		const said = [{ id: "F1", status: "withdrawn" as const }];
		expect(round({ open: [own], criteria, said }).changed).toMatchObject([{ state: "withdrawn" }]);
	});

	test("while it is unmet, nothing that the coach says closes Sparring's finding", () => {
		const said = [{ id: "F1", status: "fixed" as const }];
		const { open } = round({ open: [own], criteria: [criterion("refills", false)], said });
		expect(open).toEqual([own]);
	});

	test("a criterion that was not judged leaves Sparring's finding to the coach", () => {
		const said = [{ id: "F1", status: "fixed" as const }];
		expect(round({ open: [own] }).open).toEqual([own]);
		expect(round({ open: [own], said }).open).toEqual([]);
	});

	test("an unmet criterion reopens Sparring's earlier finding under its id", () => {
		const { open } = round({
			sameIssue: [{ ...own, state: "fixed" }],
			criteria: [criterion("refills", false, "again")],
		});
		expect(open).toEqual([{ ...own, state: "reopened", changedTurn: 7 }]);
	});
});

describe("after a ruling for the player", () => {
	const ruling = { by: "tie_breaker", decision: "PASS", rationale: "it does", turn: 6 } as const;
	const own = finding({
		issue: "Criterion not met: refills",
		criterion: "refills",
		source: "criterion",
		state: "overruled",
		ruling,
	});
	const unmet = [criterion("refills", false, "I still see it"), criterion("stops", false)];

	test("Sparring's finding for a criterion that is called unmet again comes back under its id: the ruling was about one turn", () => {
		const { open } = round({ sameIssue: [own], criteria: unmet.slice(0, 1) });
		expect(open).toMatchObject([{ id: "F1", state: "reopened", ruling: null }]);
	});

	test("the coach's own stays closed when it is repeated, and Sparring adds one for the criterion", () => {
		const sameIssue = [finding({ state: "overruled", ruling, criterion: "refills", file: "a.js" })];
		const criteria = [criterion("refills", false)];
		const items = [item({ criterion: "refills", file: "a.js" })];
		expect(round({ sameIssue, criteria, items, changedFiles: new Set(["b.js"]) })).toMatchObject({
			open: [{ id: "F5", source: "criterion", criterion: "refills" }],
			ignored: ["F1"],
		});
	});

	test("the same item on a file that changed, or as critical, is reopened, and the ruling is spent", () => {
		const known = finding({ state: "overruled", ruling, file: "a.js" });
		const again = (over: Partial<Item>, files: string[]) =>
			round({
				sameIssue: [known],
				items: [item({ file: "a.js", ...over })],
				changedFiles: new Set(files),
			});
		for (const result of [again({}, ["a.js"]), again({ severity: "critical" }, [])]) {
			expect(result.open).toMatchObject([{ id: "F1", state: "reopened", ruling: null }]);
		}
		expect(again({}, ["b.js"])).toMatchObject({ open: [], ignored: ["F1"] });
	});

	test("what changed since the ruling gives new grounds, however long ago the coach's last round is", () => {
		const known = finding({ state: "overruled", ruling, file: "a.js" });
		const { open } = round({
			sameIssue: [known],
			items: [item({ file: "a.js" })],
			changedFiles: new Set(["b.js"]),
			changedSinceRuling: new Map([["F1", new Set(["a.js"])]]),
		});
		expect(open).toMatchObject([{ id: "F1", state: "reopened" }]);
	});

	test("one about no file is about the whole work: any change gives new grounds", () => {
		const again = (files: string[] | null) =>
			round({
				sameIssue: [finding({ state: "overruled", ruling })],
				items: [item()],
				changedFiles: files === null ? null : new Set(files),
			});
		expect(again(["b.js"]).open).toMatchObject([{ id: "F1", state: "reopened" }]);
		expect(again([])).toMatchObject({ open: [], ignored: ["F1"] });
		expect(again(null)).toMatchObject({ open: [], ignored: ["F1"] });
	});

	test("one that stands against the player keeps its ruling when it is raised again", () => {
		const stands = finding({ state: "upheld", ruling: { ...ruling, decision: "FAIL" } });
		expect(round({ open: [stands], items: [item({ file: "a.js" })] }).open).toMatchObject([
			{ state: "upheld", file: "a.js", ruling: { decision: "FAIL" } },
		]);
	});
});

test("the keys to look up name the items and Sparring's findings of unmet criteria", () => {
	const feedback_items = [item(), item({ issue: "BURST is not refused" })];
	const criteria = [criterion("Refills", false), criterion("stops", true)];
	expect(reportKeys({ feedback_items, suspicions_status: [] }, criteria)).toEqual([
		"burst is not refused",
		"criterion not met: refills",
	]);
});

const CRITERIA = ["refills", "stops"];
const states = fc.constantFrom(
	"open",
	"fixed",
	"reopened",
	"disputed",
	"upheld",
	"withdrawn",
	"overruled",
);
const severities = fc.constantFrom("minor" as const, "major" as const, "critical" as const);
const files = fc.constantFrom("a.js", "b.js", undefined);
const issues = fc.constantFrom("one", "two", "three", "Criterion not met: refills");
const known = fc
	.array(
		fc.record({
			issue: issues,
			state: states,
			file: files,
			severity: severities,
			late: fc.boolean(),
			tied: fc.constantFrom(null, ...CRITERIA),
			source: fc.constantFrom("coach" as const, "criterion" as const),
		}),
		{ maxLength: 6 },
	)
	.map((all) =>
		all.map(({ tied, file, ...rest }, index) =>
			finding({ ...rest, id: `F${index + 1}`, file: file ?? null, criterion: tied }),
		),
	);
const reports = fc.record({
	feedback_items: fc.array(
		fc
			.record({
				issue: issues,
				severity: severities,
				file: files,
				criterion: fc.constantFrom(undefined, ...CRITERIA),
			})
			.map((said) => item(said)),
		{ maxLength: 4 },
	),
	findings_status: fc.array(
		fc.record({
			id: fc.constantFrom("F1", "F2", "F3", "F9"),
			status: fc.constantFrom("fixed" as const, "open" as const, "withdrawn" as const),
		}),
		{ maxLength: 6 },
	),
});

test("ids are stable and unique, nothing open vanishes unless the coach said so, unmet criteria stay covered", () => {
	fc.assert(
		fc.property(
			known,
			reports,
			fc.tuple(fc.boolean(), fc.boolean()),
			fc.integer({ min: 1, max: 5 }),
			(all, report, met, roundNumber) => {
				const criteria = CRITERIA.map((text, index) => criterion(text, met[index] === true));
				const open = all.filter(isOpen);
				const input: LedgerInput = {
					open,
					sameIssue: all.filter((one) => !isOpen(one)),
					nextNumber: all.length + 1,
					report,
					criteria,
					subtask: null,
					turn: 7,
					changedFiles: new Set(["a.js"]),
					round: roundNumber,
				};
				const result = updateLedger(input);
				const after = new Map([...all, ...result.changed].map((one) => [one.id, one]));
				const openAfter = [...after.values()].filter(isOpen).map(({ id }) => id);
				expect(result.open.map(({ id }) => id).sort()).toEqual(openAfter.sort());
				expect(new Set(result.changed.map(({ id }) => id)).size).toBe(result.changed.length);
				for (const before of all) expect(after.get(before.id)?.issue).toBe(before.issue);
				const closed = open.filter(({ id }) => !openAfter.includes(id));
				for (const one of closed) {
					const named = report.findings_status.some(
						({ id, status }) => id === one.id && status !== "open",
					);
					const covered =
						one.source === "criterion" &&
						criteria.some((c) => c.met && c.criterion === one.criterion);
					expect(named || covered).toBe(true);
				}
				for (const { criterion: text, met: isMet } of criteria) {
					if (!isMet) expect(result.open.some((one) => one.criterion === text)).toBe(true);
				}
				expect(updateLedger(input)).toEqual(result);
			},
		),
		{ numRuns: amount(1_000) },
	);
});
