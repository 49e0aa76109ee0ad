import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What happens to what connections carry; for those that stand, and for new ones until `restore`. */
type Trouble = "none" | "cut" | "swallow" | "mute";

/** A network to a server, with its troubles. */
export interface Network {
	/** The server's address, by way of the proxy. */
	readonly address: string;
	/** Ends all connections, and ends new ones at once. */
	cut(): void;
	/** Keeps all connections, but nothing arrives any more, on either side: nobody is told. */
	swallow(): void;
	/** What is sent arrives; no answer does. */
	mute(): void;
	/** New connections work. Those that stood in a trouble never work again. */
	restore(): void;
	close(): Promise<void>;
}

interface Link {
	readonly near: Socket;
	readonly far: Socket;
	trouble: Trouble;
}

/** Puts a proxy on loopback before the server of an address. */
export async function proxyTo(target: string): Promise<Network> {
	const { hostname, port } = new URL(target);
	const links = new Set<Link>();
	let trouble: Trouble = "none";
	const server = createServer((near) => {
		const link: Link = { near, far: connect(Number(port), hostname), trouble };
		links.add(link);
		carry(link);
		near.on("close", () => links.delete(link));
		if (trouble === "cut") near.destroy();
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const own = server.address();
	if (own === null || typeof own === "string") throw new Error("the proxy has no port");
	const address = new URL(target);
	address.port = String(own.port);
	const begin = (next: Trouble): void => {
		trouble = next;
		for (const link of links) link.trouble = next;
	};
	const end = (): void => {
		for (const { near } of links) near.destroy();
	};
	return {
		address: address.href,
		cut: () => {
			begin("cut");
			end();
		},
		swallow: () => begin("swallow"),
		mute: () => begin("mute"),
		restore: () => {
			trouble = "none";
		},
		close: async () => {
			const closed = once(server, "close");
			server.close();
			for (const { near, far } of links) {
				near.destroy();
				far.destroy();
			}
			await closed;
		},
	};
}

function carry(link: Link): void {
	const { near, far } = link;
	near.on("data", (part: Buffer) => {
		if (link.trouble !== "swallow") far.write(part);
	});
	far.on("data", (part: Buffer) => {
		if (link.trouble === "none") near.write(part);
	});
	for (const [from, to] of [
		[near, far],
		[far, near],
	] as const) {
		// It is followed by its end, which is passed on.
		from.on("error", () => undefined);
		from.on("close", () => {
			if (link.trouble !== "swallow") to.destroy();
		});
	}
}
