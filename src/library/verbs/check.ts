import type { CheckOptions } from "../../verdict/check-bench.ts";
import type { CheckReport } from "../../verdict/check-report.ts";
import {
	choice,
	count,
	duration,
	flag,
	given,
	list,
	SUPERVISION,
	text,
	texts,
	verb,
} from "./fields.ts";

const REV = text("[rev]", "commit or branch (default: what is not committed, else HEAD)");

/** The run of the tests, and what they may not say. */
const HOW = {
	command: text("--command <command>", "run the tests by this command"),
	setup: choice("--setup <command>", "make each checkout ready by this command"),
	exitCode: flag("--exit-code", "judge the tests by the exit code of their command alone", {
		forPeople: true,
	}),
	timeoutMs: duration(
		"--timeout <duration>",
		"end a run of the tests after this, such as 30m (default: of sparring.yaml, else by the base's time)",
	),
	allow: list(
		"--allow <path:kind:reason>",
		"let a change pass: delete, rename, skip, weaken, edit, or the id of a suspicion; may stand several times",
	),
	quick: flag("--quick", "run nothing; judge by the trees alone"),
} as const;

const WHY = {
	task: text("--task <text>", "what the work is for; values in it are no secrets of the tests"),
	criteria: texts("--criterion <text...>", "what must be true of it"),
} as const;

const ANYWAY = flag(
	"--anyway",
	"go on where tests of the base pass in your own surroundings alone",
	{ forPeople: true },
);

const SUPERVISED = { signal: SUPERVISION.signal, onNotice: given("callback") } as const;

const OF_CHECK = {
	places: [],
	access: "read",
	examples: ["spar check", "spar check topic --base main", 'spar check --command "make test"'],
} as const;

export const check = verb({
	...OF_CHECK,
	summary: "judge work that exists: uncommitted, staged, or a commit",
	fields: {
		rev: REV,
		staged: flag("--staged", "judge what is staged alone"),
		pr: text("--pr <number>", "judge a pull request, by its number or address, which gh finds"),
		base: text(
			"--base <ref>",
			"judge against this (default: where the work left its upstream branch)",
		),
		...HOW,
		...WHY,
		coach: text("--coach <agent>", "let this agent look for what is wrong, where nothing fails"),
		verifier: text(
			"--verifier <agent>",
			"let this agent write tests of its own, where nothing fails",
		),
		anyway: ANYWAY,
		branch: given("text"),
		committed: given("flag"),
		since: given("object"),
		index: given("text"),
		keepAllowed: given("flag"),
		onStep: given("callback"),
		...SUPERVISED,
	},
	forAgents:
		"Judges work that exists: runs the tests, and those of the base on the new code, and names what weakens them. Changes nothing. Call it before you say that work is done: `pass` holds; with `fail` fix what `next` says, and never a test to suit the work; `review` is for a person.",
	run: async (own, options: CheckOptions): Promise<CheckReport> => {
		const { checkWork } = await import("../../verdict/check-work.ts");
		const { reviewWork } = await import("../review-work.ts");
		const review: Parameters<typeof checkWork>[1]["review"] = (work) =>
			reviewWork(work, options, own);
		return await checkWork(options, { ...own.place, review });
	},
});

export interface HistoryOptions
	extends Pick<
		CheckOptions,
		| "rev"
		| "command"
		| "setup"
		| "exitCode"
		| "timeoutMs"
		| "allow"
		| "quick"
		| "task"
		| "criteria"
		| "anyway"
		| "signal"
	> {
	readonly count: number;
	/** Told of each commit, the newest first, as soon as it is judged. */
	readonly onReport?: ((report: CheckReport, title: string) => void) | undefined;
}

export const checkHistory = verb({
	...OF_CHECK,
	places: ["..."],
	named: "check --history",
	summary: "judge the last commits, each against the one before it",
	fields: {
		rev: REV,
		...HOW,
		count: count("--history <n>", "judge the last commits, each against the one before it", {
			most: 1_000,
			isNeeded: true,
		}),
		...WHY,
		anyway: ANYWAY,
		onReport: given("callback"),
		signal: SUPERVISION.signal,
	},
	run: async (own, { onReport = () => undefined, ...options }: HistoryOptions) => {
		const history = await import("../../verdict/check-work.ts");
		return await history.checkHistory(options, own, onReport);
	},
});
