import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";

/** Serves a bare repository over HTTP to whoever has its token, as a forge does, for reading and pushing. */
export async function privateRemote(
	remote: string,
	token: string,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
	const wanted = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
	const server = createServer((request, response) => {
		if (request.headers.authorization !== wanted) {
			response.writeHead(401, { "www-authenticate": "Basic" }).end();
			return;
		}
		const { pathname, search } = new URL(request.url ?? "/", "http://here");
		const header = (name: string): string => String(request.headers[name] ?? "");
		const child = spawn("git", ["http-backend"], {
			stdio: ["pipe", "pipe", "ignore"],
			env: {
				PATH: process.env["PATH"],
				GIT_PROJECT_ROOT: dirname(remote),
				GIT_HTTP_EXPORT_ALL: "1",
				GIT_PROTOCOL: header("git-protocol"),
				PATH_INFO: pathname,
				QUERY_STRING: search.slice(1),
				REQUEST_METHOD: request.method,
				CONTENT_TYPE: header("content-type"),
				HTTP_CONTENT_ENCODING: header("content-encoding"),
				REMOTE_USER: "somebody",
			},
		});
		request.pipe(child.stdin);
		const said: Buffer[] = [];
		child.stdout.on("data", (part: Buffer) => said.push(part));
		child.on("close", () => {
			const all = Buffer.concat(said);
			const end = all.indexOf("\r\n\r\n");
			const lines = all.subarray(0, end).toString().split("\r\n");
			const headers = lines.map((line) => line.split(": ", 2) as [string, string]); // As CGI says it.
			const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
			response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
			response.end(all.subarray(end + 4));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo; // It listens on a port.
	return {
		address: `http://127.0.0.1:${port}/${basename(remote)}`,
		close: async (): Promise<void> => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
