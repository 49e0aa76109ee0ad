import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";

const LEAST_LIMIT_MS = 600_000;
const BASE_TIMES = 10;

/**
 * Limit of one run of a check, in milliseconds: that of the workflow; else ten times what a green base took, and
 * at least ten minutes, which the base itself has. A red one may have ended early.
 *
 * @example a base that took 90 s gives 900_000
 */
export function limitOf(
	{ timeoutMs }: Pick<RunDefinition, "timeoutMs">,
	base: Pick<Evidence, "status" | "ms"> | undefined,
): number {
	if (timeoutMs !== undefined) return timeoutMs;
	return Math.max(LEAST_LIMIT_MS, base?.status === "pass" ? BASE_TIMES * base.ms : 0);
}

/**
 * Hash of everything besides the tree that a check's result depends on: its definition, the setup and the surroundings.
 * Evidence is reused only for the same tree and the same hash.
 *
 * @param setup the commands that prepare a checkout, in order
 * @param variant of machine, sandbox, programs and environment, as `KeptBases` gives it
 * @returns 64 hexadecimal digits; the order of keys does not matter
 */
export function definitionHash(
	check: RunDefinition,
	setup: readonly string[],
	variant: string,
): string {
	return sha256(canonicalJson({ check, setup, variant }));
}
