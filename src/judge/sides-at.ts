import { commitView } from "../formats/commit-view.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import type { Sides } from "../wall/reading/sides.ts";
import { readSides } from "../wall/replay/read-sides.ts";
import type { Stand } from "./stand.ts";

const lines = keptAnswers<Sides>(20);

/** The line between product and tests in a commit. */
export async function sidesAt(
	{ vault, workflow }: Pick<Stand, "vault" | "workflow">,
	start: string,
): Promise<Sides> {
	const base = commitView(vault, start, start);
	return await lines.of(vault, [start], "", () => readSides(base, workflow.checks));
}
