import { visibleText } from "../words/visible-text.ts";

/** The agents that a run goes on with in the place of others: `, with the player codex`; empty for none. */
export function otherAgents(agents: {
	readonly player?: string;
	readonly coach?: string;
	readonly model?: string;
}): string {
	const named = Object.entries(agents).map(([seat, name]) => `the ${seat} ${visibleText(name)}`);
	return named.length === 0 ? "" : `, with ${named.join(" and ")}`;
}
