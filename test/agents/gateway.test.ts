import { expect, test } from "vitest";
import { harnessAgent } from "../../src/agents/harness/harness-agent.ts";
import { bareHost } from "../../src/process/run-process.ts";
import { harnessOf } from "../../src/seats/harnesses.ts";
import { inOrder } from "../model-server/model-server.ts";
import { KEY } from "./connection.ts";
import { installed } from "./harnesses.ts";
import { APPROVES } from "./native-steps.ts";
import { type Seated, scene } from "./scene.ts";

const never = new AbortController().signal;

for (const harness of installed.filter(({ name }) => name === "codex")) {
	test.each([
		["with its key", { OPENAI_API_KEY: KEY }, KEY],
		["without a key", {}, ""],
	])("codex goes through the gateway that its seat names, %s", async (_, more, key) => {
		const seated: Seated = async ({ name, bin }, { model, args }) =>
			harnessAgent(harnessOf(name), {
				program: bin,
				model,
				args: [],
				env: { OPENAI_BASE_URL: /base_url="([^"]+)"/.exec(args.join(" "))?.[1] ?? "", ...more },
				login: "key",
				store: {},
				host: bareHost,
			});
		const { agent, call, server, outside } = await scene(harness, inOrder(APPROVES), seated);
		const outcome = await agent.call(await call(), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
		expect(new Set(server.requests.map((request) => request.key ?? ""))).toEqual(new Set([key]));
		expect(outside.asked).toEqual([]);
	});
}
