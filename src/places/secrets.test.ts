import { expect, test } from "vitest";
import type { Workflow } from "../workflow/workflow.ts";
import { maskerOf, revealedWorkflow, storedWorkflow } from "./secrets.ts";

function workflow(run: readonly string[], env: readonly string[] = []): Workflow {
	return {
		version: 1,
		name: "test",
		setup: [],
		setupInputs: [],
		setupCache: true,
		maxParallel: 2,
		protected: [],
		checks: [],
		human: { enabled: true },
		merge: { into: "integration", style: "squash", message: "{title}" },
		keepRuns: 50,
		verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
		tasks: [],
		agents: { dev: { adapter: "command", name: "dev", run, env, timeoutMs: 1 } },
	};
}

const TOKEN = "tok-1234567890abcdef";
const withToken = workflow(["agent", "--token", TOKEN]);

test("a secret that was written into the workflow file is a mark in the database", () => {
	const stored = storedWorkflow(withToken, maskerOf({}, withToken));
	expect(JSON.stringify(stored)).not.toContain(TOKEN);
	expect(JSON.stringify(stored)).toContain("[MASKED:");
});

test("on resume it comes back from the file as it is then", () => {
	const stored = storedWorkflow(withToken, maskerOf({}, withToken));
	expect(revealedWorkflow(stored, {}, withToken)).toEqual(withToken);
});

test("a value of the environment that the workflow repeats comes back from the environment", () => {
	const repeated = workflow(["agent", "https://host/?k=value-of-my-key"], ["MY_KEY"]);
	const env = { MY_KEY: "value-of-my-key" };
	const stored = storedWorkflow(repeated, maskerOf(env, repeated));
	expect(JSON.stringify(stored)).not.toContain("value-of-my-key");
	expect(revealedWorkflow(stored, env, null)).toEqual(repeated);
});

test("a secret that is no longer known stops the resume with the way out", () => {
	const stored = storedWorkflow(withToken, maskerOf({}, withToken));
	expect(() => revealedWorkflow(stored, {}, workflow(["agent"]))).toThrow("no longer set");
});

test("a workflow without secrets is not touched", () => {
	const plain = workflow(["agent"]);
	expect(revealedWorkflow(storedWorkflow(plain, maskerOf({}, plain)), {}, null)).toEqual(plain);
});

const NOTIFYING = {
	...workflow(["agent"]),
	human: {
		enabled: true,
		notify: {
			onCreated: [
				{
					type: "webhook",
					url: `https://hooks.example/\${HOOK_PATH}`,
					headers: { "X-Room": `\${ROOM}`, "X-Api-Key": "literal-key-77" },
				},
				{ type: "command", run: ["notify-send", `\${TASK_ID}`] },
			],
			onT2Gate: [{ type: "webhook", url: `\${PAGER}` }],
		},
	},
} satisfies Workflow;

test("what a webhook takes from the environment is a secret whatever it is called", () => {
	const env = {
		HOOK_PATH: "T0/B0/abcdefgh",
		ROOM: "room-of-ours",
		PAGER: "https://pager.example/x1",
		TASK_ID: "not-a-secret",
		OTHER: "also-harmless",
	};
	const masked = maskerOf(env, NOTIFYING).mask(`${Object.values(env).join(" ")} literal-key-77`);
	expect(masked).toMatch(
		/^\[MASKED:env:.{4}\] \[MASKED:env:.{4}\] \[MASKED:env:.{4}\] not-a-secret also-harmless \[MASKED:config:.{4}\]$/,
	);
});

test("a literal key in a webhook's header is a mark in the database, and comes back on resume", () => {
	const stored = storedWorkflow(NOTIFYING, maskerOf({}, NOTIFYING));
	expect(JSON.stringify(stored)).not.toContain("literal-key-77");
	expect(JSON.stringify(stored)).toContain(`https://hooks.example/\${HOOK_PATH}`);
	expect(revealedWorkflow(stored, {}, NOTIFYING)).toEqual(NOTIFYING);
});

test("what only looks like a secret in the workflow file is a mark in the database, and comes back on resume", () => {
	const looking = workflow(["agent", "--config", '{"clientSecret": "8Q7aBcD1eFgH2iJkL"}']);
	const stored = storedWorkflow(looking, maskerOf({}, looking));
	expect(JSON.stringify(stored)).not.toContain("8Q7aBcD1eFgH2iJkL");
	expect(revealedWorkflow(stored, {}, looking)).toEqual(looking);
	expect(() => revealedWorkflow(stored, {}, workflow(["agent"]))).toThrow("no longer set");
});

test("a token in the workflow file is known in every spelling from then on", () => {
	const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
	const masker = maskerOf({}, workflow(["agent", token]));
	const encoded = Buffer.from(`x:${token}`).toString("base64");
	expect(masker.mask(encoded)).toMatch(/\[MASKED:github:[0-9a-f]{4}\]/);
});

test("a private key in the workflow file comes back with its lines", () => {
	const line = "MIIa1+B2c3D4e5F6g7H8/i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9";
	const key = `-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n-----END PRIVATE KEY-----\n`;
	const holding = workflow(["agent", "--note", `a key:\n${key}`, JSON.stringify({ key })]);
	const stored = storedWorkflow(holding, maskerOf({}, holding));
	expect(JSON.stringify(stored)).not.toContain(line.slice(4, 30));
	expect(revealedWorkflow(stored, {}, holding)).toEqual(holding);
});
