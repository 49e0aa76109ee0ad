import { expect, test } from "vitest";
import {
	ALL_MERGED,
	type Crew,
	crew,
	expectTidy,
	integration,
	MEET,
	standing,
	strike,
	waitFor,
} from "../acceptance/crew.ts";
import { thorough } from "../support/amount.ts";
import type { Step } from "../support/scripted-agents.ts";
import { stateRows } from "../support/state-rows.ts";

/** The players of `a` and `b`, one of which conflicts with the other: what they do in a turn, and what they report. */
const both = (turn: number, run: string, report: Step["report"] = {}): Step[] =>
	["a", "b"].map((task) => ({ role: "player", task, turn, run, report }));

/** A binary file cannot be read, so that `auto` would ask for a verifier. */
const UNVERIFIED = { requires_verification: false };
const BINARY = [MEET, waitFor("struck"), `printf '\\0%s' "$SPAR_TASK" > pic.bin`].join("\n");

/** Turns of `a` and `b`, the fewest first. */
const turnsOf = ({ repo }: Crew): unknown[] =>
	stateRows(repo, "SELECT turns FROM tasks WHERE task_id IN ('a', 'b') ORDER BY turns").map(
		({ turns }) => turns,
	);

thorough(
	"conflict markers that a player leaves where no check reads are no work: the turn goes back with the file",
	async () => {
		const set = crew({ steps: [strike(":"), ...both(2, ":")] });
		const { code, stderr } = await set.spar(["run"]);
		expect(code, stderr).toBe(0);
		expect(standing(set)).toEqual(ALL_MERGED);
		expect(stderr).toContain("list.txt: line 1 is a conflict marker");
		expect(
			set.repo
				.git("show", `${integration(set)}:list.txt`)
				.split("\n")
				.sort(),
		).toEqual(["of a", "of b"]);
		expect(turnsOf(set)).toEqual([1, 3]);
		expectTidy(set);
	},
);

test("a conflict that has no markers is decided before it merges: the player changes the file, or names it", async () => {
	const named = { implementation_notes: "pic.bin of the other task serves both." };
	const set = crew({
		tasks: { a: UNVERIFIED, b: UNVERIFIED },
		steps: [strike(":"), ...both(1, BINARY), ...both(2, ":"), ...both(3, ":", named)],
	});
	const { code, stderr } = await set.spar(["run"]);
	expect(code, stderr).toBe(0);
	expect(standing(set)).toEqual(ALL_MERGED);
	expect(stderr).toContain("pic.bin: a merge could not put both sides of it together");
	expect(turnsOf(set)).toEqual([1, 3]);
});

thorough(
	"a conflict that a player of a renamed file leaves with its markers does not merge",
	async () => {
		const text = Array.from({ length: 30 }, (_, nth) => `line ${nth}\n`).join("");
		const edit = [MEET, waitFor("struck"), 'sed -i "s/^line 14$/of $SPAR_TASK/" doc.md'];
		const rename: Step = {
			role: "player",
			task: "a",
			turn: 1,
			run: [...edit, "mv doc.md guide.md"].join("\n"),
		};
		const set = crew({
			files: { "doc.md": text },
			tasks: { a: { max_turns: 2 }, b: { max_turns: 2 } },
			workflow: { human: { enabled: false } },
			steps: [
				strike(":"),
				rename,
				{ role: "player", task: "b", turn: 1, run: edit.join("\n") },
				...[2, 3].flatMap((turn) => both(turn, ":")),
			],
		});
		const { code, stderr } = await set.spar(["run"]);
		expect(code, stderr).toBe(1);
		expect(stderr).toContain("guide.md: line 15 is a conflict marker");
		// Of the two lines, one is merged.
		expect(set.repo.git("grep", "-h", "^of ", integration(set), "--", "*.md")).toMatch(/^of [ab]$/);
	},
);

thorough("a failed task that is reopened still has its conflict to decide", async () => {
	const last = { implementation_notes: "./pic.bin serves both." };
	const set = crew({
		tasks: { a: { max_turns: 1, ...UNVERIFIED }, b: { max_turns: 1, ...UNVERIFIED } },
		steps: [
			strike(":"),
			...both(1, BINARY),
			...[2, 3].flatMap((turn) => both(turn, ":")),
			...both(4, ":", last),
		],
	});
	const first = await set.spar(["run"]);
	expect(first.stderr).toContain("pic.bin: a merge could not put both sides of it together");
	expect(first.code).toBe(1);
	const second = await set.spar(["resume", "--max-turns", "4"]);
	expect(second.stderr).toContain("pic.bin: a merge could not put both sides of it together");
	expect(second.code, second.stderr).toBe(0);
	expect(standing(set)).toEqual(ALL_MERGED);
	expect(turnsOf(set)).toEqual([1, 4]);
});
