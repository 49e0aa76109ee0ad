import { z } from "zod";
import type { VerificationAnswer } from "../remote-job.ts";
import { answerSchema } from "../remote-job-schema.ts";

/** Version of both messages. Another one is refused, since what it means is not known. */
export const MESSAGE_SCHEMA = 1;

/** A request: what it is about lies in the bucket, so that the message stays small. */
export interface RequestMessage {
	readonly schema: number;
	/** Run, task, turn, epoch of the fence, digest, attempt, such as `r1/limiter/1/3/9f86d081884c7d65/0`. */
	readonly id: string;
	/** The same for every holder of the run: run, task, turn, digest. */
	readonly key: string;
	readonly run: string;
	readonly task: string;
	readonly turn: number;
	readonly epoch: number;
	readonly context: string;
}

export interface ResultMessage extends Pick<RequestMessage, "schema" | "id" | "key" | "epoch"> {
	readonly answer: VerificationAnswer;
}

const identity = { schema: z.int(), id: z.string(), key: z.string(), epoch: z.int() };

export const requestMessage: z.ZodType<RequestMessage> = z.object({
	...identity,
	run: z.string(),
	task: z.string(),
	turn: z.int(),
	context: z.string(),
});

export const resultMessage: z.ZodType<ResultMessage> = z.object({
	...identity,
	schema: z.literal(MESSAGE_SCHEMA),
	answer: answerSchema,
});
