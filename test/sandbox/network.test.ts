import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../src/process/environment.ts";
import { type Stage, stage } from "./stage.ts";

/** A server on the loopback, also a proxy: it answers every request with the host and the path that it saw. */
async function echo(): Promise<{ readonly server: Server; readonly port: number }> {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? "", "http://unnamed");
		response.end(`saw ${request.headers.host}${pathname}`);
	});
	server.on("connect", (request, socket) => {
		reached.push(request.url ?? "");
		socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
		server.emit("connection", socket);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	// A server that listens on a port has an address of this kind.
	return { server, port: (server.address() as AddressInfo).port };
}

/** What went through one of them as a proxy. */
const reached: string[] = [];

const fetching = (url: string): [string, ...string[]] => [
	process.execPath,
	"-e",
	`fetch(${JSON.stringify(url)}).then(async (r) => console.log(r.status, await r.text()), (e) => console.log("refused", e.cause?.code ?? "", e.cause?.message))`,
];

let allowed: Awaited<ReturnType<typeof echo>>;
let other: Awaited<ReturnType<typeof echo>>;
let upstream: Awaited<ReturnType<typeof echo>>;
let s: Stage;

beforeAll(async () => {
	[allowed, other, upstream] = await Promise.all([echo(), echo(), echo()]);
	s = await stage({
		// The proxy of a company's network: it sees every request that is let through.
		env: {
			...childEnvironment(process.env),
			HTTP_PROXY: `http://127.0.0.1:${upstream.port}`,
			http_proxy: `http://127.0.0.1:${upstream.port}`,
			NO_PROXY: "127.0.0.1,localhost",
			no_proxy: "127.0.0.1,localhost",
		},
		allowHosts: ["models.example", "*.wild.example", `localhost:${allowed.port}`],
	});
});

afterAll(async () => {
	await s.close();
	for (const { server } of [allowed, other, upstream]) {
		server.closeAllConnections();
		server.close();
	}
});

describe("the network of a confined process", () => {
	test("leads to an allowed host, through the proxy of our own environment", async () => {
		const result = await s.run(fetching("http://models.example/v1"));
		expect(result.stdout).toBe("200 saw models.example/v1\n");
		const wild = await s.run(fetching("http://a.wild.example/"));
		expect(wild.stdout).toBe("200 saw a.wild.example/\n");
	});

	test("leads to no other host", async () => {
		for (const host of [
			"other.example",
			"wild.example.evil.example",
			"models.example.evil.example",
		]) {
			const result = await s.run(fetching(`http://${host}/`));
			expect(result.stdout, host).toMatch(/^(403|refused) /);
		}
		expect(reached.filter((url) => !/^(models|a\.wild)\.example:80$/.test(url))).toEqual([]);
		expect(reached).not.toEqual([]);
	});

	test("leads to an allowed port of our own loopback, at the same address", async () => {
		for (const name of ["localhost", "127.0.0.1"]) {
			const result = await s.run(fetching(`http://${name}:${allowed.port}/x`));
			expect(result.stdout, name).toBe(`200 saw ${name}:${allowed.port}/x\n`);
		}
	});

	test("leads to no other server on our loopback, by name, by number, or past the proxy", async () => {
		for (const name of ["localhost", "127.0.0.1"]) {
			const result = await s.run(fetching(`http://${name}:${other.port}/`));
			expect(result.stdout, name).toMatch(/^refused ECONNREFUSED/);
		}
		const program = fetching(`http://127.0.0.1:${other.port}/`);
		const proxied = await s.run(["sh", "-c", 'NO_PROXY= no_proxy= exec "$0" "$@"', ...program]);
		expect(proxied.stdout).toMatch(/^(403|refused) /);
	});

	test("is its own: calls at the same time listen on the same port", async () => {
		const program = `
			const server = require("node:http").createServer((q, a) => a.end("mine " + process.argv[1]));
			server.listen(4545, "127.0.0.1", async () => {
				const answer = await fetch("http://127.0.0.1:4545/");
				console.log(await answer.text());
				setTimeout(() => process.exit(), 300);
			});`;
		const results = await Promise.all(
			["1", "2"].map((name) => s.run([process.execPath, "-e", program, name])),
		);
		expect(results.map(({ stdout }) => stdout)).toEqual(["mine 1\n", "mine 2\n"]);
	});

	test("does not reach services of our machine through Unix sockets", async () => {
		const path = join(s.root, "service.sock");
		const service = createSocketServer((socket) => socket.end("hello"));
		service.listen(path);
		await once(service, "listening");
		try {
			const program = `require("node:net").connect(process.argv[1]).on("error", (e) => console.log(e.code)).on("data", String)`;
			const result = await s.run([process.execPath, "-e", program, path]);
			expect(result.stdout).toMatch(/^(EPERM|EACCES)\n$/);
		} finally {
			service.close();
		}
	});
});
