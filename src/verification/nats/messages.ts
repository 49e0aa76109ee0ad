import { z } from "zod";
import { jsonIn } from "../../kernel/fields.ts";
import type { NatsSettings } from "../../workflow/workflow.ts";
import { jobKey, type VerificationAnswer, type VerificationJob } from "../remote-job.ts";

export const MESSAGE_SCHEMA = 1;

const identity = {
	schema: z.int(),
	/** Run, task, turn, epoch of the fence, digest, attempt, such as `r1/limiter/1/3/9f86d081884c7d65/0`. */
	id: z.string(),
	/** The same for every holder of the run: run, task, turn, digest. */
	key: z.string(),
	epoch: z.int(),
};

/** A request: what it is about lies in the bucket, so that the message stays small. */
const requestMessage = z.object({
	...identity,
	run: z.string(),
	task: z.string(),
	turn: z.int(),
	context: z.string(),
});
export type RequestMessage = z.output<typeof requestMessage>;

const resultMessage = z.object({
	...identity,
	schema: z.literal(MESSAGE_SCHEMA),
	answer: z.custom<VerificationAnswer>((value) => typeof value === "object" && value !== null),
});
export type ResultMessage = z.output<typeof resultMessage>;

export const readRequest = (text: string): RequestMessage | undefined =>
	requestMessage.safeParse(jsonIn(text)).data;

export const readResult = (text: string): ResultMessage | undefined =>
	resultMessage.safeParse(jsonIn(text)).data;

export function readJob(text: string, key: string): VerificationJob | null {
	try {
		// True where the key fits, which is made of what the job holds.
		const job = JSON.parse(text) as VerificationJob;
		return jobKey(job) === key ? job : null;
	} catch {
		return null;
	}
}

type Names = Pick<
	NatsSettings,
	"resultSubjectPrefix" | "contextSubjectPrefix" | "streamName" | "consumerName"
>;

/** A name as one part of a subject: a dot would begin another part, and what is not allowed is spelled by its code. */
function part(name: string): string {
	return name.replaceAll(
		/[^A-Za-z0-9_-]/g,
		(character) => `=${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
	);
}

/** Subject of the results of a task, such as `workflow.result.test-verifier.20261123-0900-k3f9.limiter`. */
export function resultSubject({ resultSubjectPrefix }: Names, run: string, task: string): string {
	return `${resultSubjectPrefix}.${part(run)}.${part(task)}`;
}

export function contextKey({ contextSubjectPrefix }: Names, id: string): string {
	return [contextSubjectPrefix, ...id.split("/").map(part)].join(".");
}

export function presenceSubject({ streamName, consumerName }: Names): string {
	return `sparring.presence.${streamName}.${consumerName}`;
}
