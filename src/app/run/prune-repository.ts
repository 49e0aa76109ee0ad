import { existsSync } from "node:fs";
import { openRepository } from "../../git/repository.ts";
import { setAside } from "../../store/sqlite/database.ts";
import { gitHost } from "../git-host.ts";
import type { Places } from "../places.ts";
import { pruneRuns } from "./prune-runs.ts";
import type { OpenOptions, PruneReport } from "../sparring.ts";
import type { Store } from "../store.ts";

const NOTHING: PruneReport = {
	pruned: [],
	kept: [],
	archived: [],
	freed: [],
	left_over: [],
	freed_bytes: 0,
};

/** Prunes the runs of a repository. A database that an older version wrote is moved aside instead. */
export async function pruneRepository({
	places,
	env,
	force,
	isOpen,
	openStore,
}: {
	readonly places: Places;
	readonly env: OpenOptions["env"];
	readonly force: boolean;
	/** Whether the database was opened before, and so is of this version. */
	readonly isOpen: boolean;
	readonly openStore: () => Store;
}): Promise<PruneReport> {
	if (!isOpen) {
		const aside = setAside(places.database);
		if (aside !== null) return { ...NOTHING, set_aside: aside };
		if (!existsSync(places.database)) return NOTHING;
	}
	const repository = await openRepository(places.root, gitHost(env));
	return await pruneRuns({ store: openStore(), places, repository, force });
}
