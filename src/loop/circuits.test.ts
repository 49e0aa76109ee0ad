import { expect, test } from "vitest";
import type { AgentOutcome } from "../agents/agent.ts";
import { Circuits } from "./circuits.ts";

const spent: AgentOutcome = {
	...({ kind: "failed", failure: "quota_exhausted" } as const),
	message: "spent",
	output: "",
	ms: 1,
};

test("a person's answer lets every agent be asked again", () => {
	const circuits = new Circuits();
	circuits.record("dev", spent, 1_000);
	expect(circuits.isOpen("dev", 2_000)).toBe(true);
	expect(circuits.isOpen("other", 2_000)).toBe(false);
	circuits.forget();
	expect(circuits.isOpen("dev", 2_000)).toBe(false);
});
