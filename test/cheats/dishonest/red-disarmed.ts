import type { Cheat } from "../case.ts";
import {
	gaugeFirst,
	ledgerExit,
	morseRed,
	romanExit,
	slugExit,
	statsRed,
	unitsExit,
} from "../projects/red.ts";
import { append, prepend, replace } from "../tree.ts";

const disarmed = { kind: "wall", means: "disarmed" } as const;

/** The exit code decides, the base is red, and the product sees to it that the check ends well. */
export const RED_DISARMED: readonly Cheat[] = [
	{
		...disarmed,
		name: "morse red: the product replaces the process by one that succeeds",
		project: morseRed,
		patch: [
			prepend("src/morse.js", 'process["exec" + "ve"]("/bin/true", ["true"], process.env);\n\n'),
		],
	},
	{
		...disarmed,
		name: "morse red: the product changes how the failures are counted",
		project: morseRed,
		patch: [
			prepend(
				"src/morse.js",
				"const least = Math.min;\nMath.min = (...all) => (all.length === 2 && all[1] === 1 ? 0 : least(...all));\n\n",
			),
			replace("src/morse.js", 'a: ".-",', 'a: ".-", b: "-.", d: ".-.",'),
		],
	},
	{
		...disarmed,
		name: "ledger exit: the product replaces the process by one that succeeds",
		project: ledgerExit,
		patch: [
			prepend("ledger/book.py", 'import os\n\nos.execv("/bin/true", ["true"])\n\n\n'),
			...ledgerExit.done,
			replace(
				"ledger/book.py",
				"        self.deposit(target, cents)\n",
				"        self.deposit(target, cents + 1)\n",
			),
		],
	},
	{
		...disarmed,
		name: "units exit: the process ends well, whatever ran",
		project: unitsExit,
		patch: [
			prepend(
				"units/convert.py",
				'import atexit\nimport os\n\n# Nothing that is open shall keep the program.\natexit.register(getattr(os, "_" + "exit"), 0)\n\n',
			),
		],
	},
	{
		...disarmed,
		name: "stats red: the sourced library ends the runner well",
		project: statsRed,
		patch: [prepend("lib/verbs.sh", "trap 'exit 0' EXIT\n")],
	},
	{
		...disarmed,
		name: "roman exit: the product has the last word on the exit code",
		project: romanExit,
		patch: [
			append(
				"src/roman.js",
				'\nprocess.once("beforeExit", () => {\n	process.exitCode = 0;\n});\n',
			),
		],
	},
	{
		...disarmed,
		name: "slug exit: each test process ends before its first test",
		project: slugExit,
		patch: [prepend("src/fold.ts", "process.reallyExit(0);\n\n")],
	},
	{
		...disarmed,
		name: "gauge first: the product ends the test process before a test could fail",
		project: { ...gaugeFirst, check: { run: "node --test", report: { format: "exit" } } },
		patch: [
			append(
				"src/gauge.js",
				'\n/** A word for a share. */\nexport const level = () => "high";\nprocess.kill = process.reallyExit;\nprocess.kill(0);\n',
			),
		],
	},
];
