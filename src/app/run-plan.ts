import type { TaskApproval } from "./planning/planning.ts";

/** What `--dry-run` shows: nothing is created. */
export interface RunPlan {
	readonly workflow: string;
	readonly base: string;
	readonly base_commit: string;
	readonly tasks: readonly {
		readonly id: string;
		readonly player: string;
		readonly coach: string | null;
		/** Who would write independent tests; null: nobody can. */
		readonly verifier: string | null;
		/** By what is known before the work: with `auto` the diff can still ask for it. */
		readonly requires_verification: boolean;
		readonly verification_by: TaskApproval["by"];
		readonly verification_reasons: readonly string[];
		readonly bound: number;
		readonly depends_on: readonly string[];
	}[];
	readonly checks: readonly {
		readonly name: string;
		readonly kind: string;
		readonly run: string;
	}[];
}
