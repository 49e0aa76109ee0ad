import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Fault } from "../kernel/fault.ts";
import { type GuardPlace, type Refused, refusalOf } from "./guard.ts";
import { SECURITY_HEADERS } from "./headers.ts";
import { Looking } from "./looking.ts";
import { type PageFile, pageFiles } from "./page-files.ts";
import { problemOf } from "./refusal.ts";
import { routes } from "./routes.ts";
import type { Screens } from "./screens.ts";
import { Sessions } from "./session.ts";

/** The one address: nothing of another machine reaches it. */
const ADDRESS = "127.0.0.1";

/** Largest body: more than a person types. */
const MAX_BODY_BYTES = 262_144;

export interface ServeOptions {
	/** 0: any that is free. */
	readonly port: number;
	/** Directory of the built page. */
	readonly pageDirectory: string;
	/** Told of what is no fault: a bug. */
	readonly onBug: (error: unknown) => void;
}

/** A server that listens. */
export interface Served {
	/** `http://127.0.0.1:PORT/` */
	readonly address: string;
	/** The address with a new code: whoever opens it first, within 60 s, is let in. */
	newUrl(): string;
	/** Ends it with its open streams. Idempotent. */
	close(): Promise<void>;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Serves the page and its API on this machine, to this machine.
 *
 * @throws Fault `usage` for a port that is taken or not allowed; `program-missing` without the built page
 */
export async function serve(screens: Screens, options: ServeOptions): Promise<Served> {
	const files = await pageFiles(options.pageDirectory);
	let listener: Listener = (_incoming, outgoing) => outgoing.destroy();
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

function refuse(outgoing: ServerResponse, refused: Refused): void {
	// What may follow of a request that was refused is not read.
	outgoing.setHeader("Connection", "close");
	outgoing.writeHead(refused.status, { "Content-Type": "application/json" });
	outgoing.end(JSON.stringify(problemOf(refused)));
}

function sendFile(outgoing: ServerResponse, method: string, { type, bytes }: PageFile): void {
	outgoing.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length });
	outgoing.end(method === "HEAD" ? undefined : bytes);
}
