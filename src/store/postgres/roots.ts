import type { Postgres } from "./postgres.ts";

/** The first commits of the repository whose runs a store has; null while it has none. One query. */
export async function storedRoots(postgres: Postgres): Promise<readonly string[] | null> {
	const { rows } = await postgres.query("SELECT roots FROM repository");
	// An array of texts, which the driver reads as one.
	return (rows[0]?.["roots"] as string[] | undefined) ?? null;
}

/** Says which repository a store is for. Of several that say so at once the first one counts, and stays. */
export async function storeRoots(postgres: Postgres, roots: readonly string[]): Promise<void> {
	await postgres.query("INSERT INTO repository (roots) VALUES ($1) ON CONFLICT DO NOTHING", [
		[...roots],
	]);
}
