import { basename } from "node:path";
import { quote } from "../kernel/quote.ts";
import type { Field } from "./field.ts";
import { FACTS_OF_HARNESS, harnessNamed } from "./harnesses.ts";

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
export function familyOf({
	adapter,
	model,
	run,
}: {
	readonly adapter: unknown;
	readonly model: string | undefined;
	readonly run: readonly string[];
}): string | null {
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

/** Longer chains are refused, so that walking them stays cheap in any file. In agents. */
export const LONGEST_CHAIN = 16;

export class FallbackChains {
	readonly next: ReadonlyMap<string, string>;
	readonly #agents: Field;

	constructor(agents: Field) {
		this.#agents = agents;
		this.next = new Map(
			agents.entries().flatMap(({ key, field }) => {
				const { text } = field.at("fallback");
				return text === undefined ? [] : [[key, text] as const];
			}),
		);
	}

	/** The agent, its fallback, the fallback of that and so on; at most 17, each once, those without an entry left out. */
	of(name: string | undefined): string[] {
		const chain = new Set<string>();
		for (let each = name; each !== undefined; each = this.next.get(each)) {
			if (chain.has(each) || chain.size > LONGEST_CHAIN || !this.agent(each).present) break;
			chain.add(each);
		}
		return [...chain];
	}

	agent(name: string): Field {
		return this.#agents.at(name);
	}

	adapter(name: string): unknown {
		return this.agent(name).at("adapter").value;
	}

	names(): string[] {
		return this.#agents.keys();
	}
}

/** An agent that is to judge others; family null when unknown. */
export interface Relative {
	readonly name: string;
	readonly family: string | null;
}

export function relativesOf(name: string | undefined, chains: FallbackChains): Relative[] {
	return chains.of(name).map((each) => ({ name: each, family: familyIn(chains, each) }));
}

function familyIn(chains: FallbackChains, name: string): string | null {
	const agent = chains.agent(name);
	const run = agent
		.at("run")
		.texts()
		.map(({ text }) => text);
	return familyOf({ adapter: agent.at("adapter").value, model: agent.at("model").text, run });
}

/** The first of the seated agents that is one of the others, or of the family of one; null where none is. */
export function kinOf(
	others: readonly Relative[],
	seated: readonly string[],
	chains: FallbackChains,
): { readonly of: string; readonly agent: string; readonly family: string } | null {
	for (const agent of seated) {
		if (others.some(({ name }) => name === agent))
			return { of: agent, agent, family: "the same agent" };
		const family = familyIn(chains, agent);
		const relative = others.find((each) => family !== null && each.family === family);
		if (family !== null && relative !== undefined) return { of: relative.name, agent, family };
	}
	return null;
}

export const shownName = (name: string): string => quote(name).slice(1, -1);

export const withFallback = (head: string, name: string): string =>
	head === name ? shownName(name) : `${shownName(head)} (through its fallback ${shownName(name)})`;
