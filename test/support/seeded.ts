/** Random numbers that a seed repeats (mulberry32). */
export interface Seeded {
	/** An integer in [low, high]. */
	readonly integer: (low: number, high: number) => number;
	readonly pick: <const T>(values: readonly [T, ...T[]]) => T;
}

/** The seed of this process: `SPAR_TEST_SEED`, else a new one each time. */
export function seedOfProcess(): number {
	const named = process.env["SPAR_TEST_SEED"];
	return named === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(named);
}

export function seeded(seed: number): Seeded {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const integer = (low: number, high: number): number =>
		low + Math.floor(next() * (high - low + 1));
	return { integer, pick: (values) => values[integer(0, values.length - 1)] ?? values[0] };
}
