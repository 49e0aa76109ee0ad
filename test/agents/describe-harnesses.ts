import { describe, test } from "vitest";
import type { HarnessName } from "../../src/workflow/harnesses.ts";
import { type Installed, installed, missing } from "./harnesses.ts";

/** Registers what cannot be tested as tests that neither pass nor hide. */
export function reportMissing(): void {
	for (const { name, reason } of missing) {
		test.skip(`not tested: ${name}: ${reason}`, () => undefined);
	}
}

/**
 * Tests of each harness that is there; of each that is not, one that says so.
 *
 * @param names only these; default: all
 */
export function describeHarnesses(
	body: (harness: Installed) => void,
	names?: readonly HarnessName[],
): void {
	reportMissing();
	for (const harness of installed) {
		if (names?.includes(harness.name) !== false) describe(harness.name, () => body(harness));
	}
}
