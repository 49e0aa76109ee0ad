import type { Evidence } from "../../evidence/evidence.ts";
import { verdictReasonText } from "../../review/verdict-reason.ts";

export type MergeTrouble =
	| { readonly kind: "conflict"; readonly paths: readonly string[] }
	| { readonly kind: "checks"; readonly short: readonly ShortCheck[] }
	| { readonly kind: "tests"; readonly failing: readonly string[] };

type ShortCheck = Pick<Evidence, "check" | "status" | "reason">;

export interface RefusedMerge {
	readonly trouble: MergeTrouble;
	readonly told: string;
}

/** Obstacle to a merge in one line: `the merge was refused: both sides changed a.js`. */
export function mergeTroubleText(trouble: MergeTrouble): string {
	switch (trouble.kind) {
		case "conflict":
			return `the merge was refused: both sides changed ${trouble.paths.join(", ")}`;
		case "checks":
			return `the merge was refused, on the merged files: ${trouble.short.map(shortText).join("; ")}`;
		case "tests":
			return `the merge was refused, on the merged files: tests of the verifier failed: ${trouble.failing.join(", ")}`;
	}
}

const shortText = ({ check, status, reason: why }: ShortCheck): string =>
	verdictReasonText({ kind: "check_short", check, status, why });
