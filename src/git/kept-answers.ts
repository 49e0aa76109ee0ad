import type { Vault } from "./vault.ts";

/** A full object id. Unlike a ref or an abbreviated id, it always names the same object. */
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A cache of git's answers about objects. */
export interface KeptAnswers<T> {
	/**
	 * The cached answer, or the result of `ask`. Callers share answers and must not change them.
	 * Rejections are not cached, nor are answers about ids that are not full.
	 */
	of(vault: Vault, ids: readonly string[], detail: string, ask: () => Promise<T>): Promise<T>;
	/** Caches an answer that is already known. */
	keep(vault: Vault, ids: readonly string[], answer: T): void;
}

/**
 * Caches answers about immutable objects, per vault. Above `limit`, the least recently used answer is dropped.
 *
 * @param isSmall other answers are never cached
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
			// The key is there, so the value is a T.
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
