import * as z from "zod";
import { duration, mapping } from "./schema-values.ts";

/** A call of the verifier's agent without `llm_timeout` and `verification.timeout`, in milliseconds: 3 minutes. */
export const LLM_TIMEOUT_MS = 180_000;

const CONTEXT_TIMEOUT_MS = 60_000;
const ACK_WAIT_MS = 30_000;

const name = z
	.string()
	.regex(
		/^[A-Za-z0-9_-]+$/,
		'may only contain letters, digits, "_" and "-" (it is a name in NATS)',
	);

const subject = z
	.string()
	.regex(
		/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/,
		'must be a subject such as "workflow.async.test-verifier", without wildcards',
	);

const server = z
	.string()
	.regex(/^(nats|tls):\/\/\S+$/, "must be an address such as nats://127.0.0.1:4222")
	.refine(
		(value) => !value.includes("@"),
		"must hold no user, password or token: set NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS in the environment",
	);

export const natsSchema = mapping({
	servers: z
		.array(server)
		.min(1)
		.optional()
		.transform((servers = []) => servers)
		.describe(
			"Addresses of the NATS servers. NATS_URL comes before them. Default: nats://127.0.0.1:4222.",
		),
	stream_name: name
		.default("WORKFLOW")
		.describe("JetStream stream that keeps requests and results. Default: WORKFLOW."),
	consumer_name: name
		.default("test-verifier")
		.describe("Durable consumer that all verifiers share. Default: test-verifier."),
	trigger_subject: subject
		.default("workflow.async.test-verifier")
		.describe("Subject of the requests. Default: workflow.async.test-verifier."),
	result_subject_prefix: subject
		.default("workflow.result.test-verifier")
		.describe(
			"Results of a task are on this, its run and its id. Default: workflow.result.test-verifier.",
		),
	context_subject_prefix: subject
		.default("context.build")
		.describe("First part of the keys in the bucket. Default: context.build."),
	context_response_bucket: name
		.default("CONTEXT_RESPONSES")
		.describe("Key-value bucket of what requests are about. Default: CONTEXT_RESPONSES."),
	context_timeout: duration
		.default(CONTEXT_TIMEOUT_MS)
		.describe("How long one side waits for a sign of the other. Default: 60s."),
	llm_timeout: duration.optional().meta({
		title: "LLM timeout",
		description:
			"Maximum duration of a call of the verifier's agent. Default: verification.timeout, else 180s.",
	}),
	ack_wait: duration
		.default(ACK_WAIT_MS)
		.describe(
			"After how long without a sign of life a request is given to another verifier. Default: 30s.",
		),
});
