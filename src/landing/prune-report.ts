import type { SetupCacheReport } from "../places/setup-cache.ts";

export interface PruneOptions {
	/** Unmerged work too, which is archived first. */
	readonly force?: boolean | undefined;
	readonly dryRun?: boolean | undefined;
	readonly runId?: string | undefined;
}

/** Things that pruning removed, and those that it left. */
export interface PruneReport {
	readonly pruned: readonly string[];
	/** Runs left alone, each with the reason and the way out. */
	readonly kept: readonly { readonly run_id: string; readonly reason: string }[];
	/** Branches that held unmerged work: their tips are kept at `ref`, which Sparring never removes. */
	readonly archived: readonly {
		readonly run_id: string;
		readonly branch: string;
		readonly ref: string;
		readonly commit: string;
	}[];
	/** Bytes on the disk that each pruned run gave free. */
	readonly freed: readonly { readonly run_id: string; readonly bytes: number }[];
	/** Checkouts of repositories that do not exist any more; removed only when forced. */
	readonly left_over: readonly {
		readonly directory: string;
		readonly root: string;
		readonly bytes: number;
		readonly removed: boolean;
	}[];
	/** Results of setups that were removed, unfinished ones included, and the bytes on the disk that this gave free. */
	readonly setup_cache: SetupCacheReport;
	/** In all. A file of several links counts once. */
	readonly freed_bytes: number;
	/** Set where nothing was changed: the rest tells what would be. */
	readonly dry_run?: true;
	/** Path to which a database of an older version was moved; then nothing else was done. */
	readonly set_aside?: string;
}
