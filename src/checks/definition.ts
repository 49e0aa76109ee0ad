import type { RunDefinition } from "../evidence/checklist.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";

/**
 * Hash of everything besides the tree that a check's result depends on: its definition and the setup. Evidence is reused
 * only for the same tree and the same hash.
 *
 * @param setup the commands that prepare a checkout, in order
 * @returns 64 hexadecimal digits; the order of keys does not matter
 */
export function definitionHash(check: RunDefinition, setup: readonly string[]): string {
	return sha256(canonicalJson({ check, setup }));
}
