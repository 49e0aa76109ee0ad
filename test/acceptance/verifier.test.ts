import { expect, test } from "vitest";
import { APPROVES, stage, WORKS } from "./stage.ts";

const set = (verification: object) =>
	stage({ steps: [WORKS, APPROVES], workflow: { verifier: "coach", verification } });

test("spar verifier serves no workflow whose runs verify themselves", async () => {
	const { code, stderr } = await set({}).spar(["verifier"]);
	expect(code).toBe(2);
	expect(stderr).toContain("verification.via is in_process: each run verifies itself");
	expect(stderr).toContain("Set verification.via to nats in the workflow file");
});

test("spar verifier says which server it cannot reach", async () => {
	const nats = { servers: ["nats://127.0.0.1:1"], context_timeout: "1ms" };
	const { code, stderr } = await set({ via: "nats", nats }).spar(["verifier", "--slots", "2"]);
	expect(code).toBe(2);
	expect(stderr).toContain("error: NATS at nats://127.0.0.1:1 cannot be reached");
	expect(stderr).toContain("name another one with NATS_URL or verification.nats.servers");
});

test("a queue needs a store that has one", async () => {
	const { code, stderr } = await set({ via: "queue" }).spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain("verification.via is queue, and this store has no queue");
});

test("a run whose work is verified elsewhere is not recorded", async () => {
	const { code, stderr } = await set({ via: "nats" }).spar(["run", "--record", "calls.jsonl"]);
	expect(code).toBe(2);
	expect(stderr).toContain(
		"verification.via is nats, and a cassette has one process that writes it",
	);
	expect(stderr).toContain("Record with `via: in_process`.");
});
