import { GATE_AREAS } from "./gate-areas.ts";
import type { GateReport } from "./gate-report.ts";

/**
 * What a player is told when the gate refused: one sentence for each area that failed or is absent, with what stands
 * in it. Empty for a PASS. The sentences name outcomes, never text or files to add.
 *
 * @example `["verification failed: lint: fail (3 problems); audit: pass"]`
 */
export function reworkReasons({
	evidence_checks: checks,
}: Pick<GateReport, "evidence_checks">): string[] {
	return GATE_AREAS.flatMap(({ area, label }) => {
		const { status, details } = checks[area];
		if (status === "FAIL") return [`${label} failed: ${details}`];
		return status === "ABSENT" ? [`${label} is missing: ${details}`] : [];
	});
}
