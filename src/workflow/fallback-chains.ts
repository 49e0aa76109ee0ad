import type { Field } from "./field.ts";

/** Longer chains are refused, so that walking them stays cheap in any file. In agents. */
export const LONGEST_CHAIN = 16;

export class FallbackChains {
	/** Of each agent the name that its `fallback` gives, known or not. */
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

	/**
	 * The agent, its fallback, the fallback of that and so on; at most 17, each once, those without an entry left out.
	 *
	 * @example with `dev: { fallback: spare }` the chain of `"dev"` is `["dev", "spare"]`
	 */
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
