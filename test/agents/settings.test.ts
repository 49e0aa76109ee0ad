import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Harness } from "../../src/agents/harness/harness.ts";
import { harnessAgent } from "../../src/agents/harness/harness-agent.ts";
import { harnessOf } from "../../src/app/harnesses.ts";
import { bareHost } from "../../src/process/run-process.ts";
import { inOrder } from "../model-server/model-server.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import type { HarnessName } from "./harnesses.ts";
import { APPROVES, WORK_DONE } from "./native-steps.ts";
import { firedIn, type Garden, plant, WORDS } from "./plants.ts";
import { type Scene, type Seated, scene } from "./scene.ts";

/** How a user starts each of them by hand, with everything on. */
const BY_HAND: Readonly<Record<HarnessName, (model: string) => readonly string[]>> = {
	claude: (model) => [
		...["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"],
		...["--model", model],
	],
	codex: (model) => ["exec", "--json", "--sandbox", "workspace-write", "--model", model],
	gemini: (model) => ["--model", model, "--approval-mode", "yolo", "--output-format", "stream-json"],
	opencode: (model) => ["run", "--format", "json", "--title", "x", "--model", model],
};

const never = new AbortController().signal;

const byHand = (harness: Harness): Harness => {
	const { survey: _, ...rest } = harness;
	return {
		...rest,
		launch: ({ model = "", prompt, args }) => ({
			args: [...BY_HAND[harness.name](model), ...args],
			...{ model, env: {}, files: {}, stdin: prompt, writable: [] },
		}),
	};
};

/** Signed in as the user is, with a key that the workflow passes on. */
const asUser =
	(turn: (harness: Harness) => Harness, more: readonly string[] = []): Seated =>
	async ({ name, bin }, { model, args, env }) =>
		harnessAgent(turn(await harnessOf(name)), {
			program: bin,
			...{ model, args: [...args, ...more], env, login: "user", store: {}, host: bareHost },
		});

function plantedIn({ dir, cwd }: Scene, name: HarnessName): Garden {
	const garden = { home: join(dir, "user"), cwd, fired: join(dir, "fired") };
	mkdirSync(garden.home);
	plant(name, garden);
	return garden;
}

const STEPS = [
	{ kind: "read", path: "work.txt" },
	{ kind: "write", path: "made.txt", content: "made\n" },
] as const;

describeHarnesses((harness) => {
	test("by hand", async () => {
		const made = await scene(harness, inOrder(...STEPS, WORK_DONE), asUser(byHand));
		const garden = plantedIn(made, harness.name);
		const { env } = await made.call();
		const call = await made.call({ role: "player", env: { ...env, HOME: garden.home } });
		const outcome = await made.agent.call(call, never);
		console.log(harness.name, outcome.kind, firedIn(garden), outcome.output.slice(-1500));
		const told = JSON.stringify(made.server.requests.map(({ body }) => body));
		console.log(Object.values(WORDS).map((w) => told.includes(w)));
	});
	for (const role of ["player", "coach"] as const) {
		test(`as ${role}`, async () => {
			const made = await scene(harness, inOrder(...STEPS, role === "coach" ? APPROVES : WORK_DONE), asUser((h) => h));
			const garden = plantedIn(made, harness.name);
			const { env } = await made.call();
			const call = await made.call({ role, env: { ...env, HOME: garden.home } });
			const outcome = await made.agent.call(call, never);
			console.log(harness.name, role, outcome.kind, firedIn(garden), outcome.kind === "failed" ? outcome.message : "");
			const told = JSON.stringify(made.server.requests.map(({ body }) => body));
			console.log(Object.values(WORDS).map((w) => told.includes(w)));
		});
	}
});
