import type { Message, NormalisedRequest } from "./exchange.ts";

type Told = Omit<NormalisedRequest, "prompt" | "answers" | "cwd">;

/** How harnesses tell the model where it works. */
const CWD = /(?:working directory:|working in the directory:|<cwd>)\s*`?(\/[^\s<`]+)/i;

function answersIn(messages: readonly Message[]): number {
	// Some wires carry one answer as several messages, such as a text and a tool call.
	return messages.filter(
		({ role }, index) => role === "assistant" && messages[index - 1]?.role !== "assistant",
	).length;
}

/** Adds what follows from the messages of a request. */
export function conversation(told: Told): NormalisedRequest {
	const users = told.messages.filter(({ role }) => role === "user");
	const prompt = users
		.map(({ text }) => text)
		.filter((text) => text !== "")
		.join("\n");
	const cwd = CWD.exec(`${told.system}\n${prompt}`)?.[1] ?? null;
	return { ...told, prompt, answers: answersIn(told.messages), cwd };
}

/** One server-sent event. */
export function serverEvent(data: unknown, name?: string): string {
	const text = typeof data === "string" ? data : JSON.stringify(data);
	return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

/** A text in pieces of at most 24 characters, as a model streams it; an empty one has none. */
export function pieces(text: string): readonly string[] {
	return text.match(/[\s\S]{1,24}/g) ?? [];
}

/** An identifier in the manner of the providers, such as `msg_1f0c...`. */
export function freshId(prefix: string): string {
	return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}
