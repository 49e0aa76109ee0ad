import { basename } from "node:path";
import { quote } from "../kernel/quote.ts";
import { entriesOf, type FileDraft, textOf, wordsOf } from "./draft.ts";
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

/** An agent that is to judge others; family null when unknown. */
export interface Relative {
	readonly name: string;
	readonly family: string | null;
}

/** The agents of a file with their fallbacks. */
export class Agents {
	readonly names: readonly string[];
	/** The fallback of each agent that names one. */
	readonly next: ReadonlyMap<string, string>;
	readonly #byName: ReadonlyMap<string, NonNullable<FileDraft["agents"]>[string]>;

	constructor(agents: FileDraft["agents"]) {
		this.#byName = new Map(entriesOf(agents));
		this.names = [...this.#byName.keys()];
		this.next = new Map(
			this.names.flatMap((name) => {
				const next = textOf(this.#byName.get(name)?.fallback);
				return next === undefined ? [] : [[name, next] as const];
			}),
		);
	}

	adapter(name: string): unknown {
		return this.#byName.get(name)?.adapter;
	}

	/** The agent, its fallback, the fallback of that and so on; at most 17, each once, those without an entry left out. */
	chain(name: string | undefined): string[] {
		const chain = new Set<string>();
		for (let each = name; each !== undefined; each = this.next.get(each)) {
			if (chain.has(each) || chain.size > LONGEST_CHAIN || !this.#byName.has(each)) break;
			chain.add(each);
		}
		return [...chain];
	}

	relatives(name: string | undefined): Relative[] {
		return this.chain(name).map((each) => {
			const { adapter, model, run } = this.#byName.get(each) ?? {};
			const words = wordsOf(run).map(({ text }) => text);
			return { name: each, family: familyOf({ adapter, model: textOf(model), run: words }) };
		});
	}

	/** The first of an agent and its fallbacks that is one of the others, or of the family of one; null where none is. */
	kin(
		others: readonly Relative[],
		head: string | undefined,
	): { readonly of: string; readonly agent: string; readonly family: string } | null {
		for (const { name: agent, family } of this.relatives(head)) {
			if (others.some(({ name }) => name === agent))
				return { of: agent, agent, family: "the same agent" };
			const relative = others.find((each) => family !== null && each.family === family);
			if (family !== null && relative !== undefined) return { of: relative.name, agent, family };
		}
		return null;
	}
}

export const shownName = (name: string): string => quote(name).slice(1, -1);

export const withFallback = (head: string, name: string): string =>
	head === name ? shownName(name) : `${shownName(head)} (through its fallback ${shownName(name)})`;
