import type { Vault } from "./vault.ts";

/** A full id of an object: what it names never changes, unlike a ref or a shortened id. */
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Answers about objects, kept so that git need not be asked twice. */
export interface KeptAnswers<T> {
	/**
	 * The kept answer, or the one that `ask` gives. An answer is shared between callers, so it must not be changed.
	 * Nothing is kept of a rejection, nor when one of the ids is no full one.
	 */
	of(vault: Vault, ids: readonly string[], detail: string, ask: () => Promise<T>): Promise<T>;
	/** Keeps an answer that is known already. */
	keep(vault: Vault, ids: readonly string[], answer: T): void;
}

/**
 * Keeps answers about immutable objects for as long as their vault is in use; above `limit` the one that was not
 * used for the longest time is dropped.
 *
 * @param isSmall answers that are not are never kept
 */
export function keptAnswers<T>(
	limit: number,
	isSmall: (answer: T) => boolean = () => true,
): KeptAnswers<T> {
	const vaults = new WeakMap<Vault, Map<string, T>>();
	const put = (vault: Vault, key: string, answer: T): void => {
		const kept = vaults.get(vault) ?? new Map<string, T>();
		vaults.set(vault, kept);
		kept.delete(key);
		if (!isSmall(answer)) return;
		kept.set(key, answer);
		const [oldest] = kept.keys();
		if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
	};
	return {
		of: async (vault, ids, detail, ask) => {
			if (!ids.every((id) => FULL_ID.test(id))) return await ask();
			const key = keyOf(ids, detail);
			const kept = vaults.get(vault);
			// `has`, since undefined may be an answer.
			if (kept?.has(key) !== true) {
				const answer = await ask();
				put(vault, key, answer);
				return answer;
			}
			// True because the key is there.
			const answer = kept.get(key) as T;
			put(vault, key, answer);
			return answer;
		},
		keep: (vault, ids, answer) => {
			if (ids.every((id) => FULL_ID.test(id))) put(vault, keyOf(ids, ""), answer);
		},
	};
}

function keyOf(ids: readonly string[], detail: string): string {
	return [...ids, detail].join(" ");
}
