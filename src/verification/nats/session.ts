import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { Fault } from "../../kernel/fault.ts";
import type { NatsSettings } from "../../workflow/workflow.ts";
import { addressOf, type NatsAddress } from "./address.ts";

export interface NatsPlace {
	readonly settings: NatsSettings;
	/** Holds the credentials. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Told in one sentence when something has to be waited for. */
	readonly onNotice?: ((text: string) => void) | undefined;
}

export interface NatsSession {
	readonly connection: NatsConnection;
	readonly stream: JetStreamClient;
	readonly manager: JetStreamManager;
	readonly bucket: KV;
	/** The servers as a message names them. */
	readonly shown: string;
	/** Most bytes of a message. */
	readonly maxBytes: number;
	close(): Promise<void>;
}

const KEPT_NANOS = 7 * 24 * 3_600 * 1_000_000_000;
const KEPT_MS = KEPT_NANOS / 1_000_000;

const PAUSE_MS = 500;

const LAST_WORD_MS = 1_000;

const NANOS_PER_MS = 1_000_000;

async function packages() {
	const [transport, jetstream, kv] = await Promise.all([
		import("@nats-io/transport-node"),
		import("@nats-io/jetstream"),
		import("@nats-io/kv"),
	]);
	return { ...transport, ...jetstream, ...kv };
}

type Packages = Awaited<ReturnType<typeof packages>>;

/**
 * Connects once, to see that a server with JetStream is there. @throws Fault `usage` where the address is none, or
 * `verifier-unavailable`
 */
export async function reachNats(place: NatsPlace, signal: AbortSignal): Promise<void> {
	const settings = { ...place.settings, contextTimeoutMs: 0 };
	const nats = await packages();
	const address = addressOf(settings, place.env);
	const connection = await connected(nats, address, { ...place, settings }, signal);
	try {
		await nats.jetstreamManager(connection);
	} catch (error) {
		throw notServed(address.shown, error);
	} finally {
		await connection.close();
	}
}

/** Makes what is missing; a connection that breaks is made again. @throws Fault `verifier-unavailable` */
export async function openSession(place: NatsPlace, signal: AbortSignal): Promise<NatsSession> {
	const { settings, env } = place;
	const nats = await packages();
	const address = addressOf(settings, env);
	const { shown } = address;
	const connection = await connected(nats, address, place, signal);
	try {
		const manager = await nats.jetstreamManager(connection);
		await requireStream(nats, manager, settings);
		await requireConsumer(nats, manager, settings);
		const bucket = await openBucket(nats, connection, settings);
		return {
			connection,
			stream: nats.jetstream(connection),
			manager,
			bucket,
			shown,
			maxBytes: connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER,
			close: () => closed(connection),
		};
	} catch (error) {
		await connection.close();
		if (error instanceof Fault) throw error;
		throw notServed(shown, error);
	}
}

const notServed = (shown: string, cause: unknown): Fault =>
	new Fault(`NATS at ${shown} does not serve JetStream as needed: ${wordsOf(cause)}`, {
		code: "verifier-unavailable",
		hint: "Start it with JetStream (`nats-server -js`), and allow this user its streams and buckets.",
		cause,
	});

/** Closes a connection once the server has what was sent to it, which one that is away does not get. */
async function closed(connection: NatsConnection): Promise<void> {
	const late = new AbortController();
	const patience = delay(LAST_WORD_MS, undefined, { signal: late.signal });
	await Promise.race([connection.flush(), patience]).catch(() => undefined);
	late.abort();
	await patience.catch(() => undefined);
	await connection.close();
}

async function connected(
	nats: Packages,
	address: NatsAddress,
	{ settings, onNotice }: NatsPlace,
	signal: AbortSignal,
): Promise<NatsConnection> {
	const { servers, user, password, token, creds } = address;
	const who = {
		...(user === undefined ? {} : { user, pass: password ?? "" }),
		...(token === undefined ? {} : { token }),
		...(creds === undefined
			? {}
			: { authenticator: nats.credsAuthenticator(new TextEncoder().encode(creds)) }),
	};
	const options = { servers: [...servers], name: "sparring", maxReconnectAttempts: -1, ...who };
	const until = performance.now() + settings.contextTimeoutMs;
	for (let tries = 1; ; tries += 1) {
		signal.throwIfAborted();
		try {
			return await nats.connect({ ...options, reconnectTimeWait: PAUSE_MS, timeout: 5_000 });
		} catch (error) {
			const isRefused = error instanceof Error && error.name === "AuthorizationError";
			const isLast = performance.now() + PAUSE_MS > until;
			if (isRefused || isLast) throw unreachable(address, error, isRefused);
			if (tries === 1) onNotice?.(`NATS at ${address.shown} cannot be reached; trying again`);
			await delay(PAUSE_MS, undefined, { signal });
		}
	}
}

function unreachable(address: NatsAddress, cause: unknown, isRefused: boolean): Fault {
	const where = `NATS at ${address.shown}`;
	if (isRefused)
		return new Fault(`${where} refuses this user`, {
			code: "verifier-unavailable",
			hint: "Set NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS in the environment.",
			cause,
		});
	return new Fault(`${where} cannot be reached: ${wordsOf(cause)}`, {
		code: "verifier-unavailable",
		hint: "Start the server, or name another one with NATS_URL or verification.nats.servers.",
		retryable: true,
		cause,
	});
}

function isMissing({ JetStreamApiError, JetStreamApiCodes }: Packages, error: unknown): boolean {
	if (!(error instanceof JetStreamApiError)) return false;
	const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes;
	return error.code === StreamNotFound || error.code === ConsumerNotFound;
}

async function requireStream(
	nats: Packages,
	manager: JetStreamManager,
	{ streamName, triggerSubject, resultSubjectPrefix }: NatsSettings,
): Promise<void> {
	const results = `${resultSubjectPrefix}.>`;
	try {
		await manager.streams.info(streamName);
	} catch (error) {
		if (!isMissing(nats, error)) throw error;
		await manager.streams.add({
			name: streamName,
			subjects: [triggerSubject, results],
			retention: nats.RetentionPolicy.Limits,
			storage: nats.StorageType.File,
			max_age: KEPT_NANOS,
		});
	}
	for (const subject of [triggerSubject, results]) {
		const found = await manager.streams.find(subject).catch(() => null);
		if (found === streamName) continue;
		throw new Fault(`the stream ${streamName} does not take ${subject}`, {
			code: "verifier-unavailable",
			hint: `Add the subject to the stream, or name another one as verification.nats.stream_name.`,
		});
	}
}

async function requireConsumer(
	nats: Packages,
	manager: JetStreamManager,
	{ streamName, consumerName, triggerSubject, ackWaitMs }: NatsSettings,
): Promise<void> {
	try {
		await manager.consumers.info(streamName, consumerName);
	} catch (error) {
		if (!isMissing(nats, error)) throw error;
		await manager.consumers.add(streamName, {
			durable_name: consumerName,
			ack_policy: nats.AckPolicy.Explicit,
			ack_wait: ackWaitMs * NANOS_PER_MS,
			filter_subject: triggerSubject,
		});
	}
}

async function openBucket(
	nats: Packages,
	connection: NatsConnection,
	{ contextResponseBucket }: NatsSettings,
): Promise<KV> {
	const buckets = new nats.Kvm(connection);
	try {
		return await buckets.create(contextResponseBucket, { ttl: KEPT_MS });
	} catch {
		// One that is there with other limits.
		return await buckets.open(contextResponseBucket, { bindOnly: true });
	}
}

/** The words of an error; those of its cause where it has none. */
export function wordsOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error.message !== "") return error.message;
	return error.cause === undefined ? error.name : wordsOf(error.cause);
}
