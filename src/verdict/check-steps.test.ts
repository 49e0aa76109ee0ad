import { expect, test } from "vitest";
import type { JudgingStep } from "../judge/ports.ts";
import { oncePerStep, stepText } from "./check-steps.ts";

const step = (name: JudgingStep["name"], baseMs: number | null = null): JudgingStep => ({
	name,
	run: "npm test",
	baseMs,
});

test.each([
	[step("setup"), undefined, "setup: npm test"],
	[step("base"), 61_500, "base: npm test (1m 1s)"],
	[step("trial"), undefined, "base, where you work: npm test"],
	[step("work", 8_400), undefined, "work: npm test (base took 8s)"],
	[step("replay", 8_400), 12_900, "the base's tests on the work (12s; base took 8s)"],
	[step("notices", 300), 0, "what the tests notice (0s; base took 0.3s)"],
])("a step is told by its own name, its time and the base's: %j", (of, elapsedMs, text) => {
	expect(stepText(of, elapsedMs)).toBe(text);
});

test("a step of many runs is told once, and again after another one", () => {
	const told: string[] = [];
	const tell = oncePerStep(({ name }) => told.push(name));
	for (const name of ["base", "setup", "base", "work", "replay", "replay", "notices"] as const)
		tell(step(name));
	expect(told).toEqual(["base", "setup", "base", "work", "replay", "notices"]);
});
