import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Fault } from "../kernel/fault.ts";
import { type GuardPlace, type RefusedRequest, refusalOf } from "./guard.ts";
import { Looking } from "./looking.ts";
import { problemOf } from "./refusal.ts";
import { routes } from "./routes.ts";
import type { Screens } from "./screens.ts";
import { Sessions } from "./session.ts";

interface PageFile {
	readonly type: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

const TYPES: ReadonlyMap<string, string> = new Map([
	[".html", "text/html; charset=utf-8"],
	[".js", "text/javascript; charset=utf-8"],
	[".css", "text/css; charset=utf-8"],
	[".svg", "image/svg+xml"],
]);

// Held in memory, so that no request names a path of the disk. Files of other types, such as source maps, are left
// out.
async function pageFiles(directory: string): Promise<ReadonlyMap<string, PageFile>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
		() => [],
	);
	const files = new Map<string, PageFile>();
	for (const entry of entries) {
		const type = TYPES.get(extname(entry.name));
		if (!entry.isFile() || type === undefined) continue;
		const path = join(entry.parentPath, entry.name);
		const target = `/${path.slice(directory.length + 1)}`;
		const file = { type, bytes: new Uint8Array(await readFile(path)) };
		files.set(target === "/index.html" ? "/" : target, file);
	}
	if (files.has("/")) return files;
	throw new Fault(`the dashboard's page is not there: ${directory} has no index.html`, {
		code: "program-missing",
		hint: "Build it with `npm run build`; the published package has it.",
	});
}

// Nothing inline, nothing from elsewhere, in no frame. No text becomes markup: there is no policy that makes trusted
// types.
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"Content-Security-Policy": POLICY,
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "camera=(), geolocation=(), microphone=()",
	"X-Frame-Options": "DENY",
	"Cache-Control": "no-store",
};

const ADDRESS = "127.0.0.1";

const MAX_BODY_BYTES = 262_144;

export interface ServeOptions {
	/** 0: any that is free. */
	readonly port: number;
	/** Directory of the built page. */
	readonly pageDirectory: string;
	/** Told of what is no fault: a bug. */
	readonly onBug: (error: unknown) => void;
}

export interface Served {
	/** `http://127.0.0.1:PORT/` */
	readonly address: string;
	/** The address with a new code: whoever opens it first, within 60 s, is let in. */
	newUrl(): string;
	/** Ends it with its open streams. Idempotent. */
	close(): Promise<void>;
}

/**
 * Serves the page and its API on this machine, to this machine.
 *
 * @throws Fault `usage` for a port that is taken or not allowed; `program-missing` without the built page
 */
export async function serve(screens: Screens, options: ServeOptions): Promise<Served> {
	const files = await pageFiles(options.pageDirectory);
	let listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void = (
		_incoming,
		outgoing,
	) => outgoing.destroy();
	const server = createServer((incoming, outgoing) => listener(incoming, outgoing));
	const port = await listen(server, options.port);
	const sessions = new Sessions(port);
	const host = `${ADDRESS}:${port}`;
	const ended = new AbortController();
	// What is still answered when the server ends finds the database closed: nobody waits for it.
	const onBug = (error: unknown): void => {
		if (!ended.signal.aborted) options.onBug(error);
	};
	const app = routes({
		screens,
		sessions,
		looking: new Looking(() => screens.feed.pulse()),
		maxBytes: MAX_BODY_BYTES,
		signal: ended.signal,
		onBug,
	});
	const api = getRequestListener(app.fetch, { overrideGlobalObjects: false });
	const place: GuardPlace = {
		host,
		maxBytes: MAX_BODY_BYTES,
		isPageFile: (target) => files.has(pathOf(target)),
		isSession: sessions.isSession,
	};
	listener = (incoming, outgoing) => {
		for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value);
		const { method = "", url: target = "", rawHeaders } = incoming;
		const refused = refusalOf({ method, target, rawHeaders }, place);
		const file = files.get(pathOf(target));
		if (refused !== null) refuse(outgoing, refused);
		else if (file !== undefined && method !== "POST") sendFile(outgoing, method, file);
		else void api(incoming, outgoing).catch(onBug);
	};
	return {
		address: `http://${host}/`,
		newUrl: () => `http://${host}/#code=${sessions.newCode()}`,
		close: async () => {
			ended.abort();
			const { promise, resolve } = Promise.withResolvers<void>();
			server.close(() => resolve());
			server.closeAllConnections();
			await promise;
		},
	};
}

const pathOf = (target: string): string => target.replace(/\?.*$/s, "");

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	server.once("error", (error: NodeJS.ErrnoException) => {
		const taken = error.code === "EADDRINUSE";
		reject(
			new Fault(`port ${port} ${taken ? "is in use" : `cannot be used (${error.code})`}`, {
				code: "usage",
				hint: "Give another one with --port; without it any free one is taken.",
				cause: error,
			}),
		);
	});
	server.listen(port, ADDRESS, () => {
		// A server that listens on a port has an address of this kind.
		resolve((server.address() as AddressInfo).port);
	});
	return await promise;
}

function refuse(outgoing: ServerResponse, refused: RefusedRequest): void {
	// What may follow of a request that was refused is not read.
	outgoing.setHeader("Connection", "close");
	outgoing.writeHead(refused.status, { "Content-Type": "application/json" });
	outgoing.end(JSON.stringify(problemOf(refused)));
}

function sendFile(outgoing: ServerResponse, method: string, { type, bytes }: PageFile): void {
	outgoing.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length });
	outgoing.end(method === "HEAD" ? undefined : bytes);
}
