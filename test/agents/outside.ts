import { once } from "node:events";
import { createServer } from "node:http";

/** A proxy that lets nothing through and keeps what was asked for. */
export interface Outside {
	/** Variables that point programs to it, for all that is not on this machine. */
	readonly env: Readonly<Record<string, string>>;
	/** Hosts or addresses that somebody wanted to reach, in order. */
	readonly asked: readonly string[];
	close(): Promise<void>;
}

/** Starts such a proxy on the loopback interface. */
export async function startOutside(): Promise<Outside> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url ?? "");
		response.writeHead(502).end();
	});
	server.on("connect", (request, socket) => {
		asked.push(request.url ?? "");
		// The asker may be ended before it reads the answer.
		socket.on("error", () => socket.destroy());
		socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n", () => socket.destroy());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("no port");
	const url = `http://127.0.0.1:${address.port}`;
	const here = "127.0.0.1,localhost";
	return {
		env: {
			HTTP_PROXY: url,
			HTTPS_PROXY: url,
			NO_PROXY: here,
			http_proxy: url,
			https_proxy: url,
			no_proxy: here,
		},
		asked,
		close: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}
