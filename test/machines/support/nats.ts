import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { NatsSettings } from "../../../src/workflow/workflow.ts";

/** Address of the NATS server that the tests share. @throws Error without one */
export function natsAddress(): string {
	const address = process.env["SPAR_TEST_NATS"];
	if (address !== undefined && address !== "") return address;
	throw new Error("SPAR_TEST_NATS is not set: run `npm run test:machines`");
}

/** Keys of `verification.nats` with names that no other test has, so that all can use one server. */
export function ownNames(): Readonly<
	Record<
		"stream_name" | "trigger_subject" | "result_subject_prefix" | "context_response_bucket",
		string
	>
> {
	const own = randomBytes(6).toString("hex");
	return {
		stream_name: `S_${own}`,
		trigger_subject: `${own}.async`,
		result_subject_prefix: `${own}.result`,
		context_response_bucket: `B_${own}`,
	};
}

/** Settings with names of their own, and short times. */
export function ownSettings(changes: Partial<NatsSettings> = {}): NatsSettings {
	const names = ownNames();
	return {
		servers: [natsAddress()],
		streamName: names.stream_name,
		consumerName: "test-verifier",
		triggerSubject: names.trigger_subject,
		resultSubjectPrefix: names.result_subject_prefix,
		contextResponseBucket: names.context_response_bucket,
		contextSubjectPrefix: "context.build",
		contextTimeoutMs: 20_000,
		ackWaitMs: 1_000,
		...changes,
	};
}

/** A way to a server that can be cut and laid again. */
export interface Wire {
	readonly address: string;
	/** Ends all connections, and takes none. */
	cut(): void;
	restore(): void;
	close(): Promise<void>;
}

/** Lays a wire on loopback to the server. */
export async function wireTo(target: string): Promise<Wire> {
	const { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	let isCut = false;
	const server = createServer((near) => {
		if (isCut) {
			near.destroy();
			return;
		}
		const far = connect(Number(port), hostname);
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			sockets.add(from);
			from.pipe(to);
			from.on("error", () => to.destroy());
			from.on("close", () => {
				sockets.delete(from);
				to.destroy();
			});
		}
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const end = (): void => {
		for (const socket of sockets) socket.destroy();
	};
	const own = server.address();
	if (own === null || typeof own === "string") throw new Error("the wire has no port");
	return {
		address: `nats://127.0.0.1:${own.port}`,
		cut: () => {
			isCut = true;
			end();
		},
		restore: () => {
			isCut = false;
		},
		close: async () => {
			const closed = once(server, "close");
			server.close();
			end();
			await closed;
		},
	};
}
