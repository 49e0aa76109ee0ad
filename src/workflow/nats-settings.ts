/** How a verifier in another process is asked over NATS. Holds no credentials: these come from the environment alone. */
export interface NatsSettings {
	/** Addresses such as `nats://127.0.0.1:4222`; empty: the client's default. `NATS_URL` comes before them. */
	readonly servers: readonly string[];
	/** JetStream stream that keeps requests and results. */
	readonly streamName: string;
	/** Durable consumer whose requests all verifiers share. */
	readonly consumerName: string;
	/** Subject of the requests. */
	readonly triggerSubject: string;
	/** Results of a task are on `<prefix>.<run>.<task>`. */
	readonly resultSubjectPrefix: string;
	/** Key-value bucket of what requests are about, since a message is small. */
	readonly contextResponseBucket: string;
	/** First part of the keys there: `<prefix>.<run>.<task>.<digest>`. */
	readonly contextSubjectPrefix: string;
	/** How long one side waits for a sign of the other, in milliseconds. */
	readonly contextTimeoutMs: number;
	/** After how long without a sign of life a request is given to another verifier, in milliseconds. */
	readonly ackWaitMs: number;
}
