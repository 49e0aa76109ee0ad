import type { CheckOptions } from "../../verdict/check-bench.ts";
import { stepText } from "../../verdict/check-steps.ts";
import { canDraw } from "./progress.ts";
import type { Shell } from "./shell.ts";

/** The listener to a check, which tells how it goes on. */
export interface CheckProgress {
	readonly onStep: NonNullable<CheckOptions["onStep"]>;
	readonly onNotice: (text: string) => void;
	readonly stop: () => void;
}

const TOLD_AGAIN_MS = 60_000;

/** On a terminal the step at hand with its running time; else a line as each begins, and one a minute while it lasts. */
export async function openCheckProgress(shell: Shell): Promise<CheckProgress> {
	const area = canDraw(shell) ? await shell.openLiveArea() : null;
	const print = (text: string): void =>
		area === null ? shell.err.print(`${text}\n`) : area.persist(text);
	let at: { readonly step: Parameters<typeof stepText>[0]; readonly since: number } | null = null;
	let toldAt = 0;
	const textNow = (): string => (at === null ? "" : stepText(at.step, shell.now() - at.since));
	const draw = (): void => {
		if (at !== null) area?.draw(textNow());
	};
	const end = shell.everySecond(() => {
		if (area !== null) draw();
		else if (at !== null && shell.now() - toldAt >= TOLD_AGAIN_MS) {
			toldAt = shell.now();
			print(textNow());
		}
	});
	return {
		onStep: (step) => {
			if (area !== null && at !== null) print(textNow());
			at = { step, since: shell.now() };
			toldAt = at.since;
			if (area === null) print(stepText(step));
			else draw();
		},
		onNotice: (text) => {
			print(text);
			draw();
		},
		stop: () => {
			end();
			area?.clear();
			if (area !== null && at !== null) print(textNow());
			at = null;
		},
	};
}
