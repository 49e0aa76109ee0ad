import { expect, test } from "vitest";
import type { AgentOutcome } from "../../agents/agent.ts";
import { Circuits } from "./admission.ts";

const spent: AgentOutcome = {
	...({ kind: "failed", failure: "quota_exhausted" } as const),
	message: "spent",
	output: "",
	ms: 1,
};

const at = (ms: number) => ({ startedAt: ms, endedAt: ms });

test("a person's answer lets the task ask every agent again, and leaves what other tasks know", () => {
	const circuits = new Circuits();
	circuits.record("dev", spent, at(1_000));
	expect(circuits.isOpen("dev", "a", 2_000)).toBe(true);
	expect(circuits.isOpen("other", "a", 2_000)).toBe(false);
	circuits.forget("a", 2_000);
	expect(circuits.isOpen("dev", "a", 2_000)).toBe(false);
	expect(circuits.isOpen("dev", "b", 2_000)).toBe(true);
});

test("an agent that fails again after the answer is out of order for that task too", () => {
	const circuits = new Circuits();
	circuits.record("dev", spent, at(1_000));
	circuits.forget("a", 2_000);
	circuits.record("dev", spent, at(3_000));
	expect(circuits.isOpen("dev", "a", 3_000)).toBe(true);
});

test("an agent that answers the task that asked again is back for all", () => {
	const circuits = new Circuits();
	circuits.record("dev", spent, at(1_000));
	circuits.forget("a", 2_000);
	const answered = { kind: "answered", report: null, output: "", ms: 1, usage: null } as const;
	circuits.record("dev", answered, at(3_000));
	expect(circuits.isOpen("dev", "b", 3_000)).toBe(false);
});
