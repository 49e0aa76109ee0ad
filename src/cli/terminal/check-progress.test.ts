import { expect, test } from "vitest";
import { fakeShell } from "../fakes.contract.ts";
import { openCheckProgress } from "./check-progress.ts";

const BASE = { name: "base", run: "npm test", baseMs: null } as const;
const REPLAY = { name: "replay", run: "npm test", baseMs: 8_000 } as const;

test("on a terminal the step at hand stands there with its running time, and stays with it once it is over", async () => {
	const shell = fakeShell({ terminal: true });
	const { onStep, onNotice, stop } = await openCheckProgress(shell);
	onStep(BASE);
	shell.tick();
	expect(shell.area.shown).toBe("base: npm test (1s)");
	onNotice("a note");
	onStep(REPLAY);
	for (let seconds = 0; seconds < 12; seconds += 1) shell.tick();
	expect(shell.area.shown).toBe("the base's tests on the work (12s; base took 8s)");
	stop();
	expect(shell.area).toEqual({
		shown: "",
		persisted: [
			"a note",
			"base: npm test (1s)",
			"the base's tests on the work (12s; base took 8s)",
		],
	});
	expect(shell.listeners()).toBe(0);
});

test("elsewhere each step is a line as it begins, and another one for each minute that it lasts", async () => {
	const shell = fakeShell({});
	const { onStep, stop } = await openCheckProgress(shell);
	onStep(BASE);
	for (let seconds = 0; seconds < 125; seconds += 1) shell.tick();
	onStep(REPLAY);
	stop();
	shell.tick();
	expect(shell.printed.err).toBe(
		"base: npm test\nbase: npm test (1m 0s)\nbase: npm test (2m 0s)\nthe base's tests on the work (base took 8s)\n",
	);
});
