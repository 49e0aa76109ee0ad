import { setTimeout as delay } from "node:timers/promises";

/** Looks every 20 ms until something holds; throws with `what` when it does not within the time. */
export async function waitUntil(
	what: string,
	holds: () => boolean | Promise<boolean>,
	limitMs = 120_000,
): Promise<void> {
	const deadline = performance.now() + limitMs;
	while (!(await holds())) {
		if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
		await delay(20);
	}
}
