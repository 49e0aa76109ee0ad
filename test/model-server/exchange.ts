/** Which language-model API a request speaks. */
export type Wire = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini";

/** A tool that a request offers to the model. */
export interface OfferedTool {
	readonly name: string;
	/** Names of its parameters; none for one that takes free text. */
	readonly parameters: readonly string[];
	/** `text`: its input is one text, as that of Codex's `apply_patch`. */
	readonly takes: "object" | "text";
	/** Group that it is offered in, where the wire has groups. */
	readonly namespace?: string;
}

/** One message of the conversation so far, whatever the wire calls its parts. */
export interface Message {
	readonly role: "user" | "assistant";
	readonly text: string;
	/** Names of the tools that an assistant called. */
	readonly calls: readonly string[];
	/** What the called tools answered, as text. */
	readonly results: readonly string[];
}

/** A request for a completion, in the same words for every wire. */
export interface NormalisedRequest {
	readonly wire: Wire;
	readonly model: string;
	readonly streamed: boolean;
	readonly system: string;
	readonly messages: readonly Message[];
	/** Everything that stands in messages of the user, one below the other. */
	readonly prompt: string;
	/** How often the model has answered in this conversation: 0 at the first request. */
	readonly answers: number;
	/** Working directory that the harness tells the model; null when it tells none. */
	readonly cwd: string | null;
	readonly tools: readonly OfferedTool[];
	/** The one tool that the request leaves no choice but to call. */
	readonly forcedTool: string | null;
	/** JSON schema that the answer has to fit; null without one. */
	readonly schema: unknown;
}

/** Tokens that an answer claims to have used. */
export interface Tokens {
	/** All of them, cached ones included. Default 1000. */
	readonly input?: number;
	/** Of these, read from a cache. Default 0. */
	readonly cached?: number;
	/** Default 50. */
	readonly output?: number;
}

/** What the model does in answer to one request. */
export type Step = (
	| { readonly kind: "text"; readonly text: string }
	/** Answers in the form that the request asks for: its tool for that, else JSON as text. */
	| { readonly kind: "structured"; readonly value: unknown }
	/** By the write tool that is offered, else by `apply_patch`, else by the shell. */
	| { readonly kind: "write"; readonly path: string; readonly content: string }
	/** By the read tool that is offered, else by the shell. */
	| { readonly kind: "read"; readonly path: string }
	| { readonly kind: "shell"; readonly command: string }
	/** This call to the letter, even of a tool that is not offered. */
	| {
			readonly kind: "call";
			readonly tool: string;
			readonly namespace?: string;
			readonly input: unknown;
	  }
	| {
			readonly kind: "error";
			readonly status: number;
			readonly message?: string;
			readonly headers?: Readonly<Record<string, string>>;
	  }
	/** Status 200 and a body that is no answer. */
	| { readonly kind: "garbage"; readonly body?: string }
	/** The connection breaks after the first bytes. */
	| { readonly kind: "cut" }
	/** Headers, and then nothing until the client leaves or the server closes. */
	| { readonly kind: "hang" }
) & { readonly tokens?: Tokens };

/** Decides by the request alone what the model does, so that retries and parallel conversations change nothing. */
export type Script = (request: NormalisedRequest) => Step;

/** A tool call of the model. */
export interface ToolCall {
	readonly tool: OfferedTool;
	/** A text for a tool that takes text. */
	readonly input: unknown;
}

/** What the model answers, before a wire puts it in its own words. */
export interface Reply {
	readonly text: string;
	readonly call: ToolCall | null;
	readonly tokens: Required<Tokens>;
}

/** One wire: pure translation in both directions. */
export interface WireProtocol {
	readonly name: Wire;
	/** Whether a POST to this path speaks it, such as `/v1/messages`. */
	serves(path: string): boolean;
	normalise(body: unknown, path: string): NormalisedRequest;
	/** The whole answer at once, as JSON. */
	whole(request: NormalisedRequest, reply: Reply): unknown;
	/** The answer as server-sent events, in order, each ready for the socket. */
	events(request: NormalisedRequest, reply: Reply): readonly string[];
	/** The body of an error with this HTTP status. */
	error(status: number, message: string): unknown;
}
