import type { Vault } from "./vault.ts";

// Unlike a ref or an abbreviated id, it always names the same object.
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

type VaultOwned = Pick<Vault, "repository">;

export interface KeptAnswers<T> {
	/**
	 * The cached answer, or the result of `ask`. Callers share answers and must not change them; those who ask while another
	 * one asks the same wait for its answer. Rejections are neither cached nor shared, nor are answers about ids that are not
	 * full.
	 */
	of(vault: VaultOwned, ids: readonly string[], detail: string, ask: () => Promise<T>): Promise<T>;
	keep(vault: VaultOwned, ids: readonly string[], answer: T): void;
}

/**
 * Caches answers about immutable objects. Above `limit`, the least recently used answer is dropped.
 *
 * @param isSmall other answers are never cached
 * @param ownerOf whose they are: by default a vault's; the same for all vaults of a repository where objects alone count
 */
export function keptAnswers<T>(
	limit: number,
	isSmall: (answer: T) => boolean = () => true,
	ownerOf: (vault: VaultOwned) => object = (vault) => vault,
): KeptAnswers<T> {
	const owners = new WeakMap<object, Map<string, Promise<T>>>();
	const answersOf = (vault: VaultOwned): Map<string, Promise<T>> => {
		const answers = owners.get(ownerOf(vault)) ?? new Map<string, Promise<T>>();
		owners.set(ownerOf(vault), answers);
		return answers;
	};
	const use = async (
		answers: Map<string, Promise<T>>,
		key: string,
		answer: Promise<T>,
	): Promise<T> => {
		answers.delete(key);
		answers.set(key, answer);
		const [oldest] = answers.keys();
		if (answers.size > limit && oldest !== undefined) answers.delete(oldest);
		let keeps = false;
		try {
			keeps = isSmall(await answer);
			return await answer;
		} finally {
			if (!keeps && answers.get(key) === answer) answers.delete(key);
		}
	};
	return {
		of: async (vault, ids, detail, ask) => {
			if (!ids.every((id) => FULL_ID.test(id))) return await ask();
			const [answers, key] = [answersOf(vault), keyOf(ids, detail)];
			const known = answers.get(key);
			if (known === undefined) return await use(answers, key, ask());
			// One that fails may have failed for a reason of its own, such as a kill.
			return await use(answers, key, known).catch(() => use(answers, key, ask()));
		},
		keep: (vault, ids, answer) => {
			if (ids.every((id) => FULL_ID.test(id)))
				void use(answersOf(vault), keyOf(ids, ""), Promise.resolve(answer));
		},
	};
}

function keyOf(ids: readonly string[], detail: string): string {
	return [...ids, detail].join(" ");
}
