import type { GatePolicy } from "./workflow.ts";

/** Kinds of checks that a tier of the gate requires beside tests, unless they are waived. */
export const KINDS_OF_TIER: Readonly<
	Record<GatePolicy["riskTier"], readonly ("lint" | "security" | "readiness")[]>
> = {
	T0: [],
	T1: ["lint", "security"],
	T2: ["lint", "security", "readiness"],
};
