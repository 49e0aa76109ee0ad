import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Script, Step } from "../model-server/exchange.ts";
import { inOrder } from "../model-server/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { KEY } from "./connection.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import { APPROVAL, APPROVES, nativeShell, nativeWrite, WORK_DONE } from "./native-steps.ts";
import { scene, toldOf } from "./scene.ts";

/** Not `sleep`, which some harnesses refuse to run. */
const FOREVER = "setsid tail -f /dev/null";

const SOME_TEXT: unknown = expect.stringMatching(/./);
const never = new AbortController().signal;

describeHarnesses((harness) => {
	test("hands in its report, with the tokens and the model that it used", async () => {
		const tokens = { input: 1_200, cached: 200, output: 40 };
		const { agent, call, server, outside } = await scene(
			harness,
			inOrder({ kind: "read", path: "work.txt", tokens }, { ...APPROVES, tokens }),
		);
		const outcome = await agent.call(await call(), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
		const report = outcome.kind === "answered" ? outcome.report : null;
		expect(JSON.parse(report ?? "")).toMatchObject(APPROVAL);
		const asked = server.requests.filter(({ isSide }) => !isSide);
		expect(outcome.usage).toMatchObject({
			inputTokens: asked.length * 1_200,
			outputTokens: asked.length * 40,
			model: SOME_TEXT,
		});
		expect(new Set(server.requests.map(({ key }) => key))).toEqual(new Set([KEY]));
		expect(outside.asked).toEqual([]);
	});

	test("as a player it writes in its checkout, by its own tool and by the shell", async () => {
		const { agent, call, cwd } = await scene(
			harness,
			inOrder(
				{ kind: "write", path: "planted.txt", content: "planted\n" },
				{ kind: "shell", command: "echo by the shell > shell.txt" },
				WORK_DONE,
			),
		);
		const outcome = await agent.call(await call({ role: "player" }), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
		expect(readFileSync(join(cwd, "planted.txt"), "utf8")).toBe("planted\n");
		expect(readFileSync(join(cwd, "shell.txt"), "utf8")).toBe("by the shell\n");
	});

	test("as a coach it changes nothing, whatever it tries", async () => {
		const shell = (command: string) => nativeShell(harness.name, command);
		const attempts: readonly [Step, ...Step[]] = [
			nativeWrite(harness.name, "planted-1.txt"),
			shell("echo planted > planted-2.txt"),
			shell("git diff --output=planted-3.txt HEAD"),
			shell("git log > planted-4.txt"),
			shell("git status; touch planted-5.txt"),
			shell("git -c alias.x='!touch planted-6.txt' x"),
			shell("git status && touch ../planted-7.txt"),
		];
		const made = await scene(harness, inOrder(...attempts, APPROVES));
		const { agent, call, cwd, dir, git, server } = made;
		const before = git("rev-parse", "HEAD");
		const outcome = await agent.call(await call(), never);
		expect(git("status", "--porcelain", "--ignored"), outcome.output).toBe("");
		expect(git("rev-parse", "HEAD")).toBe(before);
		expect(readdirSync(cwd)).toEqual([".git", "work.txt"]);
		expect(readdirSync(dir).filter((name) => name.includes("planted"))).toEqual([]);
		// Each was really tried, and the model was told what came of it.
		const tried = server.requests.filter(({ isSide }) => !isSide).map(({ step }) => step);
		expect(tried, outcome.output).toEqual([...attempts, APPROVES]);
		expect(toldOf(made)).toHaveLength(attempts.length);
		expect(outcome).toMatchObject({ kind: "answered" });
	});

	test("as a coach it reads the files of its call, which lie outside of its checkout", async () => {
		let path = "";
		const script: Script = ({ answers }) => (answers === 0 ? { kind: "read", path } : APPROVES);
		const made = await scene(harness, script);
		const call = await made.call();
		path = join(call.workDir, "diff.patch");
		writeFileSync(path, "a rare word: quokka\n");
		const outcome = await made.agent.call(call, never);
		expect(toldOf(made).join("\n"), outcome.output).toContain("quokka");
	});

	test("a provider that refuses for too many requests is a rate limit", async () => {
		const { agent, call } = await scene(
			harness,
			inOrder({
				kind: "error",
				status: 429,
				message: "Rate limit reached, slow down",
				headers: { "retry-after": "1" },
			}),
		);
		const outcome = await agent.call(await call(), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "failed", failure: "rate_limit" });
	});

	test("an abort in mid-turn ends everything", async () => {
		const made = await scene(
			harness,
			inOrder(
				{ kind: "shell", command: `${FOREVER} > /dev/null 2>&1 & echo started > started.txt` },
				{ kind: "hang" },
			),
		);
		const { agent, call, server, cwd } = made;
		const stop = new AbortController();
		const running = agent.call(await call({ role: "player" }), stop.signal);
		const settled = expect(running).rejects.toThrow("enough");
		await waitUntil(
			"a model that hangs",
			() => server.requests.some(({ step }) => step.kind === "hang"),
			// The largest harness takes half a minute to start on a busy machine.
			90_000,
		);
		stop.abort(new Error("enough"));
		await settled;
		expect(existsSync(join(cwd, "started.txt")), toldOf(made).join("\n")).toBe(true);
		expect(await server.requests.at(-1)?.ended).toBe("left");
	});
});
