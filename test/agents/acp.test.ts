import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acpAgent } from "../../src/agents/acp/acp-agent.ts";
import { bareHost } from "../../src/process/run-process.ts";
import { inOrder } from "../model-server/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import { APPROVAL, APPROVES, nativeShell, nativeWrite, WORK_DONE } from "./native-steps.ts";
import { type Seated, scene, toldOf } from "./scene.ts";

/** How those that speak the Agent Client Protocol by themselves are started for it; the model is set by us. */
const ACP = { gemini: ["--acp", "--skip-trust"], opencode: ["acp", "--pure"] } as const;

const never = new AbortController().signal;

const seated: Seated = ({ name, bin }, { model, env }) => {
	if (name !== "gemini" && name !== "opencode") throw new Error(`${name} does not speak ACP`);
	const run = [bin, ...ACP[name]] as const;
	return acpAgent({ run, model, login: "key", env, host: bareHost });
};

describeHarnesses(
	(harness) => {
		test("over ACP it hands in its report", async () => {
			const steps = inOrder({ kind: "read", path: "work.txt" }, APPROVES);
			const { agent, call } = await scene(harness, steps, seated);
			const outcome = await agent.call(await call(), never);
			expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
			const report = outcome.kind === "answered" ? outcome.report : null;
			expect(JSON.parse(report ?? "")).toMatchObject(APPROVAL);
		});

		test("over ACP it writes as a player", async () => {
			const steps = inOrder(nativeWrite(harness.name, "planted.txt"), WORK_DONE);
			const { agent, call, cwd } = await scene(harness, steps, seated);
			const outcome = await agent.call(await call({ role: "player" }), never);
			expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
			expect(existsSync(join(cwd, "planted.txt"))).toBe(true);
		});

		test.each([
			["its own tool", nativeWrite(harness.name, "planted.txt")],
			["the shell", nativeShell(harness.name, "echo planted > planted.txt")],
		])("over ACP a coach does not write by %s", async (_, attempt) => {
			const made = await scene(harness, inOrder(attempt, APPROVES), seated);
			const outcome = await made.agent.call(await made.call(), never);
			expect(made.git("status", "--porcelain", "--ignored"), outcome.output).toBe("");
			expect(readdirSync(made.cwd)).toEqual([".git", "work.txt"]);
			const tried = made.server.requests.map(({ step }) => step);
			expect(tried, `${outcome.output}${toldOf(made).join("\n")}`).toContainEqual(attempt);
		});

		test("over ACP an abort in mid-turn ends everything", async () => {
			const { agent, call, server } = await scene(harness, inOrder({ kind: "hang" }), seated);
			const stop = new AbortController();
			const running = agent.call(await call(), stop.signal);
			const settled = expect(running).rejects.toThrow("enough");
			const asked = () => server.requests.find(({ step }) => step.kind === "hang");
			await waitUntil("a model that hangs", () => asked() !== undefined);
			stop.abort(new Error("enough"));
			await settled;
			expect(await asked()?.ended).toBe("left");
		});
	},
	["gemini", "opencode"],
);
