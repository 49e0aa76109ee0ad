import type { TestCase, TestModule } from "vitest/node";
import { installed, missing } from "./harnesses.ts";

function wordOf(name: string, tests: readonly TestCase[]): string {
	const own = tests.filter(({ fullName }) => new RegExp(`\\b${name}\\b`).test(fullName));
	const states = own.map((each) => each.result().state);
	if (states.includes("failed")) return "failed";
	return states.includes("passed") ? "tested" : "ran no test";
}

/** Says in the last lines of a run which harnesses were really driven, and which were not, and why. */
export class LaneReporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const tests = modules.flatMap((each) => [...each.children.allTests()]);
		const words = installed.map(({ name, version }) => [wordOf(name, tests), `${name} ${version}`]);
		const lines = ["tested", "failed", "ran no test"].flatMap((word) => {
			const names = words.filter(([said]) => said === word).map(([, name]) => name);
			return names.length === 0 ? [] : [`${word}: ${names.join(", ")}`];
		});
		const untested = missing.map(({ name, reason }) => `not tested: ${name}: ${reason}`);
		process.stdout.write(`\n${[...lines, ...untested].join("\n")}\n`);
	}
}
