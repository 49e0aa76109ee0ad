import type { GateReport } from "./gate-report.ts";

/** The four kinds of evidence of a report, in its order, with the words for them. */
export const GATE_AREAS: readonly {
	readonly area: keyof GateReport["evidence_checks"];
	readonly label: string;
}[] = [
	{ area: "acceptance_evidence", label: "acceptance evidence" },
	{ area: "verification", label: "verification" },
	{ area: "operational_readiness", label: "operational readiness" },
	{ area: "requirement_coverage", label: "requirement coverage" },
];
