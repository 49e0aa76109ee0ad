import { z } from "zod";

/** A list of histories: for each repository its commits to play, and how its suite runs. */
export const historyList = z.array(
	z.object({
		/** Folder of a clone, relative to the list's own. */
		repository: z.string(),
		/** Each is judged against its first parent. */
		commits: z.array(z.string()).min(1),
		command: z.string(),
		/** Commands that make a fresh checkout ready; none where it is. */
		setup: z.array(z.string()).default([]),
		/** Repositories whose figures count together, such as `seen` and `new`. */
		half: z.string(),
	}),
);

export type History = z.infer<typeof historyList>[number];

const judgement = z.enum(["right", "noise", "false"]).nullable();

const answer = z.object({
	verdict: z.enum(["pass", "review", "fail", "none"]),
	/** What fails; where nothing was said, why not. */
	reasons: z.array(z.string()),
	/** Its own tests pass. */
	isGreen: z.boolean(),
	questions: z.array(
		z.object({
			rule: z.string(),
			file: z.string(),
			what: z.string(),
			/** By a maintainer: is it worth asking, is what it says true. */
			judgement,
			/** Why it was judged so. */
			because: z.string().default(""),
		}),
	),
});

/** The verdict on a commit, or on a dishonest variant of it. */
export type Answer = z.infer<typeof answer>;

/** One commit as it was played. */
export const playedCommit = z.object({
	repository: z.string(),
	half: z.string(),
	commit: z.string(),
	title: z.string(),
	answer,
	/** Processor time, in seconds: of the check, and of one run of the suite. */
	seconds: z.object({ check: z.number(), suite: z.number() }),
	variants: z.array(z.object({ kind: z.string(), what: z.string(), answer })),
});

export type PlayedCommit = z.infer<typeof playedCommit>;

/** The same commits with what was judged of the same questions before. */
export function withJudgements(
	played: readonly PlayedCommit[],
	before: readonly PlayedCommit[],
): PlayedCommit[] {
	const keyOf = (commit: PlayedCommit, { rule, file, what }: Answer["questions"][number]) =>
		[commit.repository, commit.commit, rule, file, what].join("\n");
	const known = new Map(
		before.flatMap((commit) =>
			commit.answer.questions.map((question) => [keyOf(commit, question), question] as const),
		),
	);
	return played.map((commit) => {
		const questions = commit.answer.questions.map(
			(question) => known.get(keyOf(commit, question)) ?? question,
		);
		return { ...commit, answer: { ...commit.answer, questions } };
	});
}
