let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves when it is the caller's turn: one for each round of the event loop. To start a process or a task stops the main
 * thread for some milliseconds; many at once would stop it for a second.
 */
export function takeTurn(): Promise<void> {
	const turn = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
	last = turn;
	return turn;
}
