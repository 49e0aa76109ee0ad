import { expect, test } from "vitest";
import { aState, theFacts } from "../scene.contract.ts";
import { signOff } from "./sign-off.ts";

const asked = (task: NonNullable<Parameters<typeof theFacts>[0]>["task"]) =>
	signOff({ facts: theFacts({ task: task ?? {} }), state: aState() });

const policy = { requireCoverage: false, coverageThreshold: 1 };

test("a T2 gate wants a signature, also where people are off", async () => {
	const gatePolicy = { ...policy, riskTier: "T2" } as const;
	expect((await asked({ gate: true, gatePolicy, human: false })).update).toEqual({
		next: "halt",
		trigger: "sign_off",
		reason: { kind: "signature_needed", task: "limiter", turn: 2 },
	});
});

test("below T2, and where no gate applies, nobody signs", async () => {
	const gatePolicy = { ...policy, riskTier: "T1" } as const;
	expect((await asked({ gate: true, gatePolicy })).update).toEqual({ next: "go" });
	const off = { gate: false, gatePolicy: { ...policy, riskTier: "T2" as const } };
	expect((await asked(off)).passedThrough).toBe("no sign-off is asked for");
});

test("requires_human waits for a word; with people off the task goes on", async () => {
	expect((await asked({ requiresHuman: true })).update).toMatchObject({
		trigger: "requires_human",
		reason: { kind: "word_needed" },
	});
	const alone = await asked({ requiresHuman: true, human: false });
	expect(alone.passedThrough).toBe("requires_human, but HIL is off");
});
