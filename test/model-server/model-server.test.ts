import { afterEach, describe, expect, test } from "vitest";
import type { Script, Step, Wire } from "./exchange.ts";
import { at, listAt, textAt } from "./loose-json.ts";
import { inOrder, type ModelServer, startModelServer } from "./model-server.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serving(script: Script): Promise<ModelServer> {
	const server = await startModelServer({ script });
	servers.push(server);
	return server;
}

const always = (step: Step): Script => inOrder(step);

interface Ask {
	readonly tools?: readonly string[];
	readonly stream?: boolean;
	readonly said?: string;
	readonly signal?: AbortSignal;
}

/** A request of each wire with the same meaning: one tool of each name with the parameters of a file and a command. */
const PARAMETERS = {
	type: "object",
	properties: { file_path: {}, content: {}, command: {} },
};

function bodyOf(wire: Wire, { tools = ["Write", "Bash"], stream = false, said }: Ask): unknown {
	const user = said ?? "Do it.";
	switch (wire) {
		case "anthropic-messages":
			return {
				model: "m",
				stream,
				system: [{ type: "text", text: "Working directory: /repo" }],
				messages: [{ role: "user", content: [{ type: "text", text: user }] }],
				tools: tools.map((name) => ({ name, input_schema: PARAMETERS })),
			};
		case "openai-responses":
			return {
				model: "m",
				stream,
				instructions: "<cwd>/repo</cwd>",
				input: [{ type: "message", role: "user", content: [{ type: "input_text", text: user }] }],
				tools: tools.map((name) => ({ type: "function", name, parameters: PARAMETERS })),
			};
		case "openai-chat":
			return {
				model: "m",
				stream,
				messages: [
					{ role: "system", content: "Working directory: /repo" },
					{ role: "user", content: user },
				],
				tools: tools.map((name) => ({
					type: "function",
					function: { name, parameters: PARAMETERS },
				})),
			};
		case "gemini":
			return {
				systemInstruction: { parts: [{ text: "working in the directory: /repo" }] },
				contents: [{ role: "user", parts: [{ text: user }] }],
				tools: [
					{
						functionDeclarations: tools.map((name) => ({
							name,
							parametersJsonSchema: PARAMETERS,
						})),
					},
				],
			};
	}
}

function pathOf(wire: Wire, stream: boolean): string {
	switch (wire) {
		case "anthropic-messages":
			return "/v1/messages";
		case "openai-responses":
			return "/v1/responses";
		case "openai-chat":
			return "/v1/chat/completions";
		case "gemini":
			return stream
				? "/v1beta/models/m:streamGenerateContent?alt=sse"
				: "/v1beta/models/m:generateContent";
	}
}

function post(server: ModelServer, path: string, body: unknown, signal?: AbortSignal) {
	return fetch(`${server.url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: "Bearer dummy" },
		body: JSON.stringify(body),
		...(signal === undefined ? {} : { signal }),
	});
}

function ask(server: ModelServer, wire: Wire, about: Ask = {}): Promise<Response> {
	const body = bodyOf(wire, about);
	return post(server, pathOf(wire, about.stream === true), body, about.signal);
}

/** The data of each server-sent event. */
async function eventsOf(response: Response): Promise<readonly unknown[]> {
	const text = await response.text();
	return text
		.split("\n")
		.filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
		.map((line): unknown => JSON.parse(line.slice(6)));
}

/** The piece of text that an event of a stream bears. */
function pieceOf(wire: Wire, event: unknown): string {
	switch (wire) {
		case "anthropic-messages":
			return textAt(event, "delta", "text");
		case "openai-responses":
			return textAt(event, "type") === "response.output_text.delta" ? textAt(event, "delta") : "";
		case "openai-chat":
			return textAt(listAt(event, "choices")[0], "delta", "content");
		case "gemini":
			return textAt(listAt(listAt(event, "candidates")[0], "content", "parts")[0], "text");
	}
}

/** The text that a streamed answer adds up to. */
function streamedText(wire: Wire, events: readonly unknown[]): string {
	return events.map((event) => pieceOf(wire, event)).join("");
}

/** Name and input of the tool call of a whole answer. */
function wholeCall(wire: Wire, body: unknown): unknown {
	switch (wire) {
		case "anthropic-messages": {
			const block = listAt(body, "content")[0];
			return [at(block, "name"), at(block, "input")];
		}
		case "openai-responses": {
			const item = listAt(body, "output")[0];
			return [at(item, "name"), JSON.parse(textAt(item, "arguments"))];
		}
		case "openai-chat": {
			const call = at(
				listAt(at(listAt(body, "choices")[0], "message"), "tool_calls")[0],
				"function",
			);
			return [at(call, "name"), JSON.parse(textAt(call, "arguments"))];
		}
		case "gemini": {
			const part = listAt(listAt(body, "candidates")[0], "content", "parts")[0];
			return [at(part, "functionCall", "name"), at(part, "functionCall", "args")];
		}
	}
}

/** Input, cached and output tokens as a whole answer tells them. */
function wholeTokens(wire: Wire, body: unknown): readonly unknown[] {
	const usage = at(body, wire === "gemini" ? "usageMetadata" : "usage");
	switch (wire) {
		case "anthropic-messages":
			return [
				Number(at(usage, "input_tokens")) + Number(at(usage, "cache_read_input_tokens")),
				at(usage, "cache_read_input_tokens"),
				at(usage, "output_tokens"),
			];
		case "openai-responses":
			return [
				at(usage, "input_tokens"),
				at(usage, "input_tokens_details", "cached_tokens"),
				at(usage, "output_tokens"),
			];
		case "openai-chat":
			return [
				at(usage, "prompt_tokens"),
				at(usage, "prompt_tokens_details", "cached_tokens"),
				at(usage, "completion_tokens"),
			];
		case "gemini":
			return [
				at(usage, "promptTokenCount"),
				at(usage, "cachedContentTokenCount"),
				at(usage, "candidatesTokenCount"),
			];
	}
}

const WIRES: readonly Wire[] = ["anthropic-messages", "openai-responses", "openai-chat", "gemini"];
const LONG = "A text that is longer than one piece of a stream, with ünïcode in it.";

describe.each(WIRES)("%s", (wire) => {
	test("streams a text in full", async () => {
		const server = await serving(always({ kind: "text", text: LONG }));
		const response = await ask(server, wire, { stream: true });
		expect(response.headers.get("content-type")).toContain("text/event-stream");
		expect(streamedText(wire, await eventsOf(response))).toBe(LONG);
	});

	test("writes a file through the offered tool, below the directory that it was told", async () => {
		const server = await serving(always({ kind: "write", path: "a.txt", content: "hi\n" }));
		const body: unknown = await (await ask(server, wire)).json();
		expect(wholeCall(wire, body)).toEqual(["Write", { file_path: "/repo/a.txt", content: "hi\n" }]);
	});

	test("writes through the shell where it is offered nothing better", async () => {
		const server = await serving(always({ kind: "write", path: "a.txt", content: "it's\n" }));
		const body: unknown = await (await ask(server, wire, { tools: ["Bash"] })).json();
		expect(wholeCall(wire, body)).toEqual([
			"Bash",
			{ command: `printf %s 'it'\\''s\n' > 'a.txt'` },
		]);
	});

	test("says so when no tool is offered for a step", async () => {
		const server = await serving(always({ kind: "shell", command: "ls" }));
		const response = await ask(server, wire, { tools: ["other"], stream: true });
		expect(streamedText(wire, await eventsOf(response))).toContain("there are: other");
	});

	test("tells the tokens of a step, the cached ones among the input", async () => {
		const tokens = { input: 1_200, cached: 200, output: 7 };
		const server = await serving(always({ kind: "text", text: "x", tokens }));
		const body: unknown = await (await ask(server, wire)).json();
		expect(wholeTokens(wire, body)).toEqual([1_200, 200, 7]);
	});

	test("answers an error in the wire's own shape, with its headers", async () => {
		const headers = { "retry-after": "7" };
		const server = await serving(always({ kind: "error", status: 429, message: "slow", headers }));
		const response = await ask(server, wire);
		expect(response.status).toBe(429);
		expect(response.headers.get("retry-after")).toBe("7");
		expect(await response.json()).toMatchObject({ error: { message: "slow" } });
	});

	test("a cut stream breaks after its first bytes", async () => {
		const server = await serving(always({ kind: "cut" }));
		const response = await ask(server, wire, { stream: true });
		await expect(response.text()).rejects.toThrow("terminated");
		expect(await server.requests[0]?.ended).toBe("left");
	});

	test("a title gets a fixed text without the script", async () => {
		const server = await serving(() => {
			throw new Error("not asked");
		});
		const response = await ask(server, wire, { tools: [], stream: true });
		expect(streamedText(wire, await eventsOf(response))).toBe("A title");
		expect(server.requests[0]).toMatchObject({ isSide: true });
	});

	test("keeps what was asked", async () => {
		const server = await serving(always({ kind: "text", text: "x" }));
		await (await ask(server, wire, { said: "Mend it." })).text();
		expect(server.requests).toMatchObject([
			{
				key: "dummy",
				isSide: false,
				request: {
					wire,
					model: "m",
					prompt: "Mend it.",
					answers: 0,
					cwd: "/repo",
					tools: [{ name: "Write" }, { name: "Bash" }],
				},
			},
		]);
	});
});

test("the conversation itself says which step is next", async () => {
	const steps = inOrder({ kind: "text", text: "first" }, { kind: "text", text: "second" });
	const server = await serving(steps);
	const tools = [{ name: "Bash", input_schema: PARAMETERS }];
	const user = { role: "user", content: "Go." };
	const call = { type: "tool_use", id: "1", name: "Bash", input: {} };
	const assistant = { role: "assistant", content: [{ type: "text", text: "hm" }, call] };
	const result = {
		role: "user",
		content: [{ type: "tool_result", tool_use_id: "1", content: "out" }],
	};
	const said = async (messages: readonly unknown[]): Promise<unknown> => {
		const body: unknown = await (await post(server, "/v1/messages", { messages, tools })).json();
		return at(listAt(body, "content")[0], "text");
	};
	expect(await said([user])).toBe("first");
	expect(await said([user])).toBe("first");
	expect(await said([user, assistant, result])).toBe("second");
	expect(await said([user, assistant, result, assistant, result])).toBe("second");
	expect(server.requests.at(-1)?.request.messages[2]).toMatchObject({ results: ["out"] });
});

test("a text and a call that come as two items are one answer", async () => {
	const server = await serving(always({ kind: "text", text: "x" }));
	const input = [
		{ type: "message", role: "user", content: "Go." },
		{ type: "message", role: "assistant", content: [{ type: "output_text", text: "hm" }] },
		{ type: "function_call", name: "shell", call_id: "1", arguments: "{}" },
		{ type: "function_call_output", call_id: "1", output: "out" },
	];
	await (await post(server, "/v1/responses", { input, tools: [{ name: "shell" }] })).text();
	expect(server.requests[0]?.request).toMatchObject({ answers: 1, prompt: "Go." });
});

test("a free-text apply_patch gets the patch, an object one gets it as its input", async () => {
	const server = await serving(always({ kind: "write", path: "a.txt", content: "one\ntwo\n" }));
	const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n";
	for (const [type, key, expected] of [
		["custom", "input", patch],
		["function", "arguments", JSON.stringify({ input: patch })],
	] as const) {
		const body = { input: "Go.", tools: [{ type, name: "apply_patch" }] };
		const answer: unknown = await (await post(server, "/v1/responses", body)).json();
		expect(at(listAt(answer, "output")[0], key)).toBe(expected);
	}
});

describe("a structured step", () => {
	const value = { decision: "approve" };

	test("goes through a StructuredOutput tool once, then ends in text", async () => {
		const server = await serving(always({ kind: "structured", value }));
		const tools = [{ name: "StructuredOutput", input_schema: {} }];
		const user = { role: "user", content: "Go." };
		const first: unknown = await (
			await post(server, "/v1/messages", { messages: [user], tools })
		).json();
		expect(wholeCall("anthropic-messages", first)).toEqual(["StructuredOutput", value]);
		const assistant = { role: "assistant", content: listAt(first, "content") };
		const second: unknown = await (
			await post(server, "/v1/messages", { messages: [user, assistant], tools })
		).json();
		expect(JSON.parse(textAt(listAt(second, "content")[0], "text"))).toEqual(value);
	});

	test("goes through the one tool that is forced", async () => {
		const server = await serving(always({ kind: "structured", value }));
		const body = {
			messages: [{ role: "user", content: "Go." }],
			tools: [{ name: "json", input_schema: {} }],
			tool_choice: { type: "tool", name: "json" },
		};
		const answer: unknown = await (await post(server, "/v1/messages", body)).json();
		expect(wholeCall("anthropic-messages", answer)).toEqual(["json", value]);
	});

	test("is JSON as text for a response schema, which makes it no side request", async () => {
		const server = await serving(always({ kind: "structured", value }));
		const body = {
			messages: [{ role: "user", content: "Go." }],
			response_format: { type: "json_schema", json_schema: { name: "r", schema: {} } },
		};
		const answer: unknown = await (await post(server, "/v1/chat/completions", body)).json();
		const text = textAt(listAt(answer, "choices")[0], "message", "content");
		expect(JSON.parse(text)).toEqual(value);
		expect(server.requests[0]).toMatchObject({ isSide: false, request: { schema: {} } });
	});
});

test("garbage is a good status with a body that is no answer", async () => {
	const server = await serving(always({ kind: "garbage" }));
	const response = await ask(server, "openai-chat", { stream: true });
	expect([response.status, await response.text()]).toEqual([200, "<html>Nothing of use</html>"]);
});

test("a hang lasts until the client leaves, and says that it left", async () => {
	const server = await serving(always({ kind: "hang" }));
	const left = new AbortController();
	const response = await ask(server, "gemini", { stream: true, signal: left.signal });
	left.abort();
	await expect(response.text()).rejects.toThrow("aborted");
	expect(await server.requests[0]?.ended).toBe("left");
});

test("closing breaks off an answer that hangs, and frees the port", async () => {
	const server = await startModelServer({ script: always({ kind: "hang" }) });
	const response = await ask(server, "anthropic-messages", { stream: true });
	await server.close();
	await expect(response.text()).rejects.toThrow("terminated");
	await expect(fetch(server.url)).rejects.toThrow("fetch failed");
});

test("a script that throws is a 500 with its message", async () => {
	const server = await serving(() => {
		throw new Error("no such scene");
	});
	const response = await ask(server, "openai-responses");
	expect([response.status, await response.text()]).toEqual([
		500,
		expect.stringContaining("no such scene"),
	]);
});

test("harnesses' other questions are answered: models, token counts, a look at the address", async () => {
	const server = await serving(always({ kind: "hang" }));
	const statusOf = async (method: string, path: string) =>
		(await fetch(`${server.url}${path}`, { method })).status;
	expect(await statusOf("GET", "/v1/models")).toBe(200);
	expect(await statusOf("HEAD", "/")).toBe(200);
	expect(await statusOf("POST", "/v1/messages/count_tokens")).toBe(200);
	expect(await statusOf("POST", "/v1/other")).toBe(404);
	expect(server.requests).toEqual([]);
});

test("a body that is no JSON, or of wrong types throughout, ends nothing", async () => {
	const server = await serving(always({ kind: "text", text: "still here" }));
	const broken = await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{" });
	expect(broken.status).toBe(500);
	const odd = { messages: [null, 7, { content: [null] }], tools: [null], system: 3, model: [] };
	for (const wire of WIRES) {
		const answer = await post(server, pathOf(wire, false), { ...odd, input: [null], contents: 1 });
		expect(answer.status).toBe(200);
	}
});
