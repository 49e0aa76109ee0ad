import { expect, test } from "vitest";
import { harnessAgent } from "../../src/agents/harness/harness-agent.ts";
import { bareHost } from "../../src/process/run-process.ts";
import { harnessOf } from "../../src/seats/harnesses.ts";
import type { HarnessName } from "../../src/workflow/harnesses.ts";
import type { Step } from "../model-server/exchange.ts";
import { inOrder } from "../model-server/model-server.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import { APPROVES, WORK_DONE } from "./native-steps.ts";
import { type Seated, scene, toldOf } from "./scene.ts";

/** A server with one tool, which tells a variable. */
const SERVER = `import { createInterface } from "node:readline";
const tools = [{ name: "recall", description: "Tells a note", inputSchema: { type: "object", properties: {} } }];
const answers = {
	initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
	"tools/list": () => ({ tools }),
	"tools/call": () => ({ content: [{ type: "text", text: "the note says " + process.env.NOTES_KEY }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const answer = answers[method];
	const said = answer === undefined ? { error: { code: -32601, message: method } } : { result: answer(params) };
	if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...said }) + "\\n");
});
`;

/** Names by which each offers the tool; Codex in a group. */
const TOOLS: Readonly<Record<HarnessName, readonly [tool: string, namespace?: string]>> = {
	claude: ["mcp__notes__recall"],
	codex: ["recall", "mcp__notes"],
	gemini: ["mcp_notes_recall"],
	opencode: ["notes_recall"],
};

function recallBy(name: HarnessName): Step {
	const [tool, namespace] = TOOLS[name];
	return { kind: "call", tool, input: {}, ...(namespace === undefined ? {} : { namespace }) };
}

const never = new AbortController().signal;

/** Through the harness's own adapter, with the server. */
const withServer: Seated = ({ name, bin }, { model, args, env }) =>
	harnessAgent(harnessOf(name), {
		program: bin,
		model,
		args,
		env,
		login: "key",
		store: {},
		servers: [
			{
				name: "notes",
				command: [process.execPath, "--input-type=module", "--eval", SERVER],
				env: { NOTES_KEY: "buy milk" },
			},
		],
		host: bareHost,
	});

describeHarnesses((harness) => {
	const calledBy = async (role: "player" | "coach", end: Step) => {
		const made = await scene(harness, inOrder(recallBy(harness.name), end), withServer);
		const outcome = await made.agent.call(await made.call({ role }), never);
		expect(outcome, outcome.output).toMatchObject({ kind: "answered" });
		const shown = JSON.stringify(made.server.requests.map(({ body }) => body));
		return { told: toldOf(made).join("\n"), shown };
	};

	test("a player uses a server of its agent, which sees its own variable", async () => {
		const { told } = await calledBy("player", WORK_DONE);
		expect(told).toContain("the note says buy milk");
	});

	test("a coach is neither shown the server nor answered by it", async () => {
		const { told, shown } = await calledBy("coach", APPROVES);
		expect(told).not.toContain("buy milk");
		expect(shown).not.toContain("Tells a note");
	});
});
