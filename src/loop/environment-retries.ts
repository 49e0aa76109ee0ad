/** How often a fault of the environment is tried again without charge. */
export const ENVIRONMENT_RETRIES = 2;

/**
 * Number of an attempt at the checks of a turn. After a person said "try again" attempts are counted on, so that what was
 * found before is not overwritten.
 *
 * @param items questions asked so far
 * @param attempt from 0, in this pass
 */
export function attemptOf(items: number, attempt: number): number {
	return items * (ENVIRONMENT_RETRIES + 1) + attempt;
}
