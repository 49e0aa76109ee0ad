import { afterEach, describe, expect, test } from "vitest";
import { fetchEvents, NoEventStream } from "./event-stream.ts";
import {
	CHAT_END,
	CHAT_USAGE,
	chatEvent,
	type RawServer,
	STREAM,
	startRawServer,
} from "./raw-server.fixture.ts";

const servers: RawServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** What comes of an answer in these pieces. */
async function fetched(pieces: readonly string[], status = 200): Promise<Response> {
	const server = await startRawServer((response) => {
		response.writeHead(status, STREAM);
		for (const piece of pieces) response.write(piece);
		response.end();
	});
	servers.push(server);
	return fetchEvents(server.url, { method: "POST", body: "{}" });
}

const textOf = async (...pieces: readonly string[]): Promise<string> =>
	(await fetched(pieces)).text();

describe("an answer of status 200", () => {
	test.each(["<!doctype html>", '{"choices":[]}', "\n\n Welcome", "x", "d", " ".repeat(20_000)])(
		"that begins with %j is no stream, unless it is empty",
		async (body) => {
			if (body.trim() === "") expect(await textOf(body)).toBe(body);
			else await expect(fetched([body])).rejects.toThrow(NoEventStream);
		},
	);

	test.each([
		"data: 1\n\n",
		"event: a\ndata: 1\n\n",
		": keep\n\n",
		"\n\r\nid: 1\n",
		"retry: 5\n",
		"",
	])("that begins with %j passes as it is, wherever it is cut", async (body) => {
		expect(await textOf(body)).toBe(body);
		expect(await textOf(...body.split(""))).toBe(body);
	});
});

test("an answer of another status passes unchanged", async () => {
	const response = await fetched(["<html>"], 404);
	expect([response.status, await response.text()]).toEqual([404, "<html>"]);
});

describe("counts of tokens", () => {
	test("of a wrong type are left out, with nothing else", async () => {
		const odd = [{ prompt_tokens: "x" }, { details: { cached_tokens: [1] } }];
		for (const usage of odd) {
			const kept = chatEvent({}, "stop").replace(',"usage":null', "");
			expect(await textOf(chatEvent({}, "stop", usage))).toBe(kept);
		}
		expect(await textOf('data: {"usageMetadata":[1],"a":1}\r\n')).toBe('data: {"a":1}\r\n');
		expect(await textOf('data: {"usage":"none","a":1}')).toBe('data: {"a":1}');
	});

	test("that are sound pass as they are", async () => {
		const details = { prompt_tokens_details: { cached_tokens: null, audio: "none" } };
		const sound = [
			chatEvent({}, "stop", { ...CHAT_USAGE, ...details }),
			chatEvent({ content: 'the text "usage": "x"' }),
			'data: {"usage" : {oops\n\n',
			'data: {"nested":{"usage":1}}\n\n',
		];
		for (const event of sound) expect(await textOf(event)).toBe(event);
	});
});

test.each([
	"data: [DONE]",
	'data: {"type":"message_stop"}',
	'data: {"type":"response.completed","response":{}}',
])("what comes after %s is left out", async (end) => {
	const event = chatEvent({ content: "late" });
	const text = await textOf(`${event}${end}\n\n${event}`, event, CHAT_END, "data: 1");
	expect(text.trimEnd()).toBe(`${event}${end}`);
});
