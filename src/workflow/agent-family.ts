import { basename } from "node:path";
import { FACTS_OF_HARNESS, harnessNamed } from "./harnesses.ts";

export interface Relative {
	readonly adapter: unknown;
	readonly model: string | undefined;
	readonly run: readonly string[];
}

const MAKERS: ReadonlySet<string> = new Set(["anthropic", "openai", "google"]);

const HANDS_ON: ReadonlySet<string> = new Set(["openrouter", "openai-compatible"]);

/** Programs that speak the Agent Client Protocol for a coding agent that does not. */
const BRIDGES = /^(.+?)(?:-code|-agent)?-acp$/;

/** Programs that fetch the program that their first argument names, and start it. */
const STARTERS: ReadonlySet<string> = new Set(["npx", "bunx"]);

/**
 * Maker of the models that an agent asks, as far as its definition says so: two of one family share their blind spots.
 * Null when unknown, as of a program of the user's. `{ adapter: "codex" }` is `"openai"`.
 */
export function familyOf(agent: Relative): string | null {
	const { adapter, model, run } = agent;
	if (adapter === "model") return makerOf(model);
	const program = programOf(run);
	const name = adapter === "acp" ? (BRIDGES.exec(program)?.[1] ?? program) : adapter;
	const harness = harnessNamed(name);
	return harness === undefined ? null : (FACTS_OF_HARNESS[harness].maker ?? makerOf(model));
}

function makerOf(model: string | undefined): string | null {
	const [first = "", second = ""] = model?.split("/") ?? [];
	const maker = HANDS_ON.has(first) ? second : first;
	return MAKERS.has(maker) ? maker : null;
}

/** Without folder and version: of `npx -y @agentclientprotocol/codex-acp@1.2.3` it is `codex-acp`. */
function programOf([program = "", ...rest]: readonly string[]): string {
	const name = basename(program);
	if (!STARTERS.has(name)) return name;
	const fetched = rest.find((word) => !word.startsWith("-")) ?? "";
	return basename(fetched).replace(/@.*$/, "");
}
