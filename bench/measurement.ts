/** One measured value beside the floor of the same run. */
export interface Measurement {
	readonly name: string;
	/** What was measured, in `unit`. */
	readonly value: number;
	/** What it is compared with, measured in the same run by the same means. */
	readonly floor: number;
	/** `times`: multiples of the plain script at the same moment. */
	readonly unit: "ms" | "bytes" | "times" | "processes" | "runs";
	/** The largest ratio that meets the target. */
	readonly target: number;
}

/** A measurement as it is printed and written to a file. */
export interface Verdict extends Measurement {
	/** `value / floor`. */
	readonly ratio: number;
	readonly met: boolean;
}

/** Compares a measurement with its target: a value of 3 over a floor of 2 is a ratio of 1.5. */
export function judge(measurement: Measurement): Verdict {
	const ratio = measurement.value / measurement.floor;
	return { ...measurement, ratio, met: ratio <= measurement.target };
}

function amount(value: number, unit: Measurement["unit"]): string {
	const isCount = unit === "bytes" || unit === "processes" || unit === "runs";
	return isCount ? `${Math.round(value)} ${unit}` : `${value.toFixed(2)} ${unit}`;
}

/** One line for people. */
export function describe({ name, value, floor, unit, ratio, target, met }: Verdict): string {
	const sides = `${amount(value, unit)} against ${amount(floor, unit)}`;
	return `${met ? "met   " : "MISSED"}  ${ratio.toFixed(2)} of at most ${target.toFixed(2)}  ${name}: ${sides}`;
}
