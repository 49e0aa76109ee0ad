import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { noMasker } from "../masking/masking.ts";
import { call } from "../store/record-builders.contract.ts";
import { agentsText, evidenceText, taskMessage, taskText } from "./commits.ts";
import { aLog, scene, theFacts } from "./scene.contract.ts";

const { task } = theFacts();
const text = (part: Partial<typeof task>, template = "{title}") =>
	taskText(template, { ...task, acceptanceCriteria: [], ...part });

test("the message tells what was asked for, who did it and what was found", async () => {
	const description = "Add a limiter.\n\nA token bucket.";
	const criteria = ["it refuses\nafter the burst"];
	const { input } = scene({
		read: {
			calls: (turn, role) =>
				Promise.resolve(
					role === "verifier"
						? []
						: [call({ turn, role, agent: role === "coach" ? "rev" : "dev" })],
				),
			evidence: () => Promise.resolve([evidence({ check: "tests", status: "pass" })]),
		},
	});
	const ground = { ...input, ...theFacts(), masker: noMasker, log: aLog(2) };
	const whole = { ...task, description, acceptanceCriteria: criteria };
	expect(await taskMessage({ ...ground, read: input.read }, whole)).toBe(
		`Add a limiter.

A token bucket.

- it refuses after the burst

Sparring-Run: ${ground.run.runId}
Sparring-Task: limiter
Sparring-Turn: 2
Sparring-Agents: dev (player), rev (coach)
Sparring-Evidence: tests pass
`,
	);
});

test("template and label leave without secrets", async () => {
	const { input } = scene();
	const masker = { ...noMasker, mask: (said: string) => said.replaceAll("hunter2", "***") };
	const merge = { into: "integration", style: "squash", message: "hunter2 {feature_id}" } as const;
	const ground = { ...input, ...theFacts({ workflow: { merge } }), masker, log: aLog(2) };
	const message = await taskMessage(
		{ ...ground, read: input.read },
		{ ...task, featureId: "hunter2" },
	);
	expect(message).toMatch(/^\*\*\* \*\*\*\n/);
});

test("a title that does not fit is shortened, what stands around it stays, and the body has all of it", () => {
	const description = `${"long ".repeat(30).trim()}\nMore.`;
	const { subject, body } = text({ description }, "feat: {title} ({task})");
	expect(subject).toBe(`feat: ${"long ".repeat(11).trim()}… (limiter)`);
	expect(body).toContain(description);
});

test("a title that is not in the subject stays in the body", () => {
	expect(text({ description: "Title\nMore." }, "chore: {task}").body).toContain("Title\nMore.");
	expect(text({ description: "Title\nMore." }).body.trim()).toBe("More.");
});

test("criteria of subtasks stand behind those of the task", () => {
	const subtasks = [{ id: "core", description: "d", acceptanceCriteria: ["b"] }];
	expect(text({ acceptanceCriteria: ["a"], subtasks }).body.trim()).toBe("- a\n- b");
});

test("agents are those who answered, each once with their roles", () => {
	const said = (agent: string, role: "player" | "coach", outcome = "answered") => ({
		agent,
		role,
		outcome,
	});
	expect(
		agentsText([
			said("dev", "player", "timeout"),
			said("spare", "player"),
			said("rev", "coach"),
			said("rev", "player"),
			said("spare", "coach"),
			said("spare", "player"),
		]),
	).toBe("spare (player, coach), rev (coach, player)");
});

test("evidence is that of the turn, with the gate; none is said to be none", () => {
	const gate = { risk_tier: "T1", verdict: "PASS" } as const;
	const found = [
		evidence({ check: "tests", status: "pass" }),
		evidence({ check: "lint", status: "absent" }),
	];
	expect(evidenceText(found, gate)).toBe("tests pass, lint absent, gate T1 PASS");
	expect(evidenceText([], null)).toBe("none");
});
