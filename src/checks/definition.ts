import type { RunDefinition } from "../evidence/checklist.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";

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
