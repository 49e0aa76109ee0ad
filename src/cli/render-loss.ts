import { oneLine } from "../words/visible-text.ts";
import type { RunEvent } from "./run-event.ts";

type Loss = Extract<RunEvent, { type: "turns-lost" }>["data"];

/** Turns whose commits are damaged, and where the task goes on. */
export function renderLoss({ turns, commit, reason }: Loss): string {
	const lost = turns.length === 0 ? "its last commit" : `turn ${turns.join(", ")}`;
	return `${lost} cannot be read from the repository any more (${oneLine(reason, 200)}); the task goes on from ${commit.slice(0, 10)}`;
}
