import type { JudgingStep } from "../judge/ports.ts";
import { formatClock, formatDuration } from "../kernel/duration.ts";

/** Tells each step once, however many runs it takes. */
export function oncePerStep(tell: (step: JudgingStep) => void): (step: JudgingStep) => void {
	let last = "";
	return (step) => {
		const now = stepText(step);
		if (now !== last) tell(step);
		last = now;
	};
}

/**
 * A step of a check by its own name, with the time that the base took as its measure.
 *
 * @param elapsedMs time for which it has gone on; left out: it begins
 * @example `the base's tests on the work (12s; base took 8s)`
 */
export function stepText(step: JudgingStep, elapsedMs?: number): string {
	const times = [
		...(elapsedMs === undefined ? [] : [formatClock(elapsedMs)]),
		...(step.baseMs === null ? [] : [`base took ${tookText(step.baseMs)}`]),
	];
	return `${nameOf(step)}${times.length === 0 ? "" : ` (${times.join("; ")})`}`;
}

const tookText = (ms: number): string => (ms < 1_000 ? formatDuration(ms) : formatClock(ms));

function nameOf({ name, run }: JudgingStep): string {
	switch (name) {
		case "setup":
			return `setup: ${run}`;
		case "base":
			return `base: ${run}`;
		case "trial":
			return `base, where you work: ${run}`;
		case "work":
			return `work: ${run}`;
		case "replay":
			return "the base's tests on the work";
		case "notices":
			return "what the tests notice";
	}
}
