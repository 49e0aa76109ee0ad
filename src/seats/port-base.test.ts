import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { portBaseOf } from "./port-base.ts";

const slots = (count: number): number[] => Array.from({ length: count }, (_, slot) => slot);

thorough("every slot of a run has 100 ports of its own, from 10,000 to 64,999", () => {
	fc.assert(
		fc.property(fc.string(), (runId) => {
			const bases = slots(550).map((slot) => portBaseOf(runId, slot));
			expect(new Set(bases).size).toBe(550);
			for (const base of bases) {
				expect(base % 100).toBe(0);
				expect(base).toBeGreaterThanOrEqual(10_000);
				expect(base).toBeLessThanOrEqual(64_900);
			}
		}),
		{ numRuns: 20 },
	);
});

test("the first 227 slots keep away from the ports that Linux hands out by itself, from 32,768 on", () => {
	for (const slot of slots(227))
		expect(portBaseOf("20261121-225752-mb2h", slot) + 99).toBeLessThan(32_768);
});

test("the same slot of the same run always has the same ports", () => {
	expect(portBaseOf("r1", 3)).toBe(portBaseOf("r1", 3));
});

test("of 1,000 pairs of runs with four tasks each few meet", () => {
	const basesOf = (runId: string): number[] => slots(4).map((slot) => portBaseOf(runId, slot));
	const meet = slots(1_000).filter((nth) => {
		const other = new Set(basesOf(`other-${nth}`));
		return basesOf(`run-${nth}`).some((base) => other.has(base));
	});
	expect(meet.length).toBeLessThan(60);
});

test("any slot has valid ports", () => {
	fc.assert(
		fc.property(fc.string(), fc.nat(1_000_000), (runId, slot) => {
			const base = portBaseOf(runId, slot);
			expect(base >= 10_000 && base <= 64_900).toBe(true);
		}),
	);
});
