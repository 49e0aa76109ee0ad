import { expect, test } from "vitest";
import { newStory } from "../../words/story/run-story.ts";
import { runEvent } from "../fakes.contract.ts";
import { noPaint, type Paint } from "./paint.ts";
import { renderStory } from "./story-layout.ts";
import { UNLIMITED } from "./table.ts";

const TASK = { branch: "b", start_commit: "c", feature_id: null, checkout: null } as const;

const runOf = (tasks: string[]) =>
	runEvent(
		"run-started",
		{ workflow: "demo", base: "main", base_commit: "e3b0eac4", branch: "b", tasks },
		{ task: null, turn: null },
	);

function shown(tasks: string[], columns: number, paint: Paint = noPaint): string {
	const [task = ""] = tasks;
	const story = newStory();
	const where = { task, turn: 1 };
	const lines = { added: 58, removed: 3 };
	const issue = "after a pause the bucket holds more than the burst, and nothing ever caps it";
	const finding = {
		finding: "F1",
		state: "open",
		severity: "major",
		issue,
		blocking: true,
	} as const;
	const events = [
		runOf(tasks),
		runEvent(
			"task-started",
			{ ...TASK, bound: 4, player: "dev", coach: "rev" },
			{ task, turn: null },
		),
		runEvent("snapshot-taken", { commit: "c", tree: "t", changed: 2, empty: false, lines }, where),
		runEvent("finding-changed", finding, where),
		runEvent(
			"turn-routed",
			{ route: "feedback", reason: "" },
			{ ...where, timestamp: "2026-11-21T22:06:24.000Z" },
		),
	];
	return events.flatMap((event) => renderStory(story, event, columns, paint)).join("\n");
}

test("a clock stands at the right, and what is below a turn begins where its text does", () => {
	expect(shown(["limiter"], 80).split("\n")).toEqual([
		"limiter: player dev, coach rev, up to 4 turns, from main e3b0eac",
		`${"turn 1   2 files +58 -3".padEnd(75)}1:15`,
		"         F1 major  after a pause the bucket holds more than the burst, and",
		"         nothing ever caps it",
	]);
	expect(shown(["limiter"], UNLIMITED).split("\n")[1]).toHaveLength(88);
});

test("of several tasks each line has its id, cut at a word", () => {
	expect(shown(["search-index-rebuild-of-the-whole", "docs"], 100).split("\n")).toEqual([
		"2 tasks from main e3b0eac: search-index-rebuild-of-the-whole, docs",
		"search-index-rebuild-...:          player dev, coach rev, up to 4 turns",
		`${"search-index-rebuild-...: turn 1   2 files +58 -3".padEnd(84)}1:15`,
		"search-index-rebuild-...:          F1 major  after a pause the bucket holds more than the burst, and",
		"                                   nothing ever caps it",
	]);
});

test("a narrow terminal has no columns, and no line that is wider", () => {
	const lines = shown(["limiter"], 40).split("\n");
	expect(lines.filter((line) => line.length > 40)).toEqual([]);
	expect(lines[2]).toBe(`${"turn 1 2 files +58 -3".padEnd(35)}1:15`);
	expect(lines[3]).toMatch(/^ {2}F1 major/);
});

test("the label of a turn is strong, and a finding has its colour", () => {
	const marked = shown(["limiter"], 80, (tone, text) => `<${tone}>${text}</>`);
	expect(marked).toContain("<strong>turn 1   </>2 files");
	expect(marked).toContain("<attention>F1 major");
});
