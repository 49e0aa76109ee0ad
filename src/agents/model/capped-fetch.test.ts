import { afterEach, expect, test } from "vitest";
import { cappedFetch } from "./event-stream.ts";
import { type RawAnswer, type RawServer, startRawServer } from "./raw-server.fixture.ts";

const open: RawServer[] = [];

afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function serve(answer: RawAnswer): Promise<RawServer> {
	const server = await startRawServer(answer);
	open.push(server);
	return server;
}

const post = { method: "POST", body: "grün" };

test("status, headers and body come through, and the request's body gets there", async () => {
	const server = await serve((response) => {
		response.writeHead(418, { "x-one": "1", "set-cookie": ["a=1", "b=2"] }).end("täglich");
	});
	const response = await cappedFetch(server.url, post);
	expect(response.status).toBe(418);
	expect(response.headers.get("x-one")).toBe("1");
	expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
	expect(await response.text()).toBe("täglich");
	expect(server.bodies).toEqual(["grün"]);
});

test.each([204, 304])("an answer %i without a body is not an error", async (status) => {
	const server = await serve((response) => response.writeHead(status).end());
	expect((await cappedFetch(server.url, post)).status).toBe(status);
});

test("an answer over 64 MB fails while it is read, and the server is left", async () => {
	const piece = Buffer.alloc(1_000_000);
	const server = await serve((response) => {
		response.writeHead(200);
		const more = (): void => {
			while (!response.destroyed && response.write(piece));
		};
		response.on("drain", more);
		more();
	});
	const response = await cappedFetch(server.url, post);
	await expect(response.arrayBuffer()).rejects.toThrow("more than 64 MB");
	await server.left;
});

test("an abort leaves the server, before an answer and within it", async () => {
	const controller = new AbortController();
	const silent = await serve(() => controller.abort());
	const { signal } = controller;
	await expect(cappedFetch(silent.url, { ...post, signal })).rejects.toThrow(/abort/);
	await silent.left;

	const second = new AbortController();
	const slow = await serve((response) => {
		response.writeHead(200).write("some");
	});
	const response = await cappedFetch(slow.url, { ...post, signal: second.signal });
	const reading = expect(response.text()).rejects.toThrow(/abort/);
	second.abort();
	await reading;
	await slow.left;
});

test("a reader who has enough leaves the server", async () => {
	const server = await serve((response) => {
		response.writeHead(200).write("some");
	});
	const response = await cappedFetch(server.url, post);
	await response.body?.cancel();
	await server.left;
});

test("a connection that breaks is an error, before an answer and within it", async () => {
	const deaf = await serve((response) => response.destroy());
	await expect(cappedFetch(deaf.url, post)).rejects.toThrow("socket hang up");
	const cut = await serve((response) => {
		response.writeHead(200).write("some", () => response.destroy());
	});
	await expect(cappedFetch(cut.url, post).then((response) => response.text())).rejects.toThrow();
});
