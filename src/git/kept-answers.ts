import type { Vault } from "./vault.ts";

// Unlike a ref or an abbreviated id, it always names the same object.
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export interface KeptAnswers<T> {
	/**
	 * The cached answer, or the result of `ask`. Callers share answers and must not change them; those who ask while another
	 * one asks the same wait for its answer. Rejections are neither cached nor shared, nor are answers about ids that are not
	 * full.
	 */
	of(vault: Vault, ids: readonly string[], detail: string, ask: () => Promise<T>): Promise<T>;
	known(vault: Vault, ids: readonly string[]): T | undefined;
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
	const asked = new WeakMap<Vault, Map<string, Promise<T>>>();
	const put = (vault: Vault, key: string, answer: T): void => {
		const kept = vaults.get(vault) ?? new Map<string, T>();
		vaults.set(vault, kept);
		kept.delete(key);
		if (!isSmall(answer)) return;
		kept.set(key, answer);
		const [oldest] = kept.keys();
		if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
	};
	const askOnce = async (vault: Vault, key: string, ask: () => Promise<T>): Promise<T> => {
		const open = asked.get(vault) ?? new Map<string, Promise<T>>();
		asked.set(vault, open);
		const asking = ask();
		open.set(key, asking);
		try {
			const answer = await asking;
			put(vault, key, answer);
			return answer;
		} finally {
			if (open.get(key) === asking) open.delete(key);
		}
	};
	return {
		of: async (vault, ids, detail, ask) => {
			if (!ids.every((id) => FULL_ID.test(id))) return await ask();
			const key = keyOf(ids, detail);
			const other = asked.get(vault)?.get(key);
			// One that fails may have failed for a reason of its own, such as a kill.
			if (other !== undefined) return await other.catch(() => askOnce(vault, key, ask));
			const kept = vaults.get(vault);
			// `has`, since undefined may be an answer.
			if (kept?.has(key) !== true) return await askOnce(vault, key, ask);
			// The key is there, so the value is a T.
			const answer = kept.get(key) as T;
			put(vault, key, answer);
			return answer;
		},
		known: (vault, ids) => vaults.get(vault)?.get(keyOf(ids, "")),
		keep: (vault, ids, answer) => {
			if (ids.every((id) => FULL_ID.test(id))) put(vault, keyOf(ids, ""), answer);
		},
	};
}

function keyOf(ids: readonly string[], detail: string): string {
	return [...ids, detail].join(" ");
}
