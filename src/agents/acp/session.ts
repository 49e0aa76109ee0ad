import type { ClientConnection } from "@agentclientprotocol/sdk";
import { type Fields, fieldsOf, listOf, wordsOf } from "../../kernel/fields.ts";
import type { AgentCall } from "../agent.ts";
import { quote } from "../quote.ts";
import type { Rights } from "../rights.ts";
import { requestFailure, type SessionFailure, turnFailure } from "./session-end.ts";
import type { SessionReader } from "./session-reader.ts";

const PROTOCOL_VERSION = 1;

export interface SessionOrder {
	readonly call: Pick<AgentCall, "cwd" | "workDir" | "prompt">;
	readonly rights: Rights;
	readonly model: string | undefined;
	readonly hasKey: boolean;
	readonly reader: SessionReader;
}

export type SessionResult = SessionFailure | "answered" | "gone";

// One agent reads this, and others pass it over: no settings or hooks of its user's, no model calls besides the task's
// own, and no tools that write where the seat only reads.
function metadata(rights: Rights): Fields {
	const tools = rights === "read" ? { tools: ["Read", "Grep", "Glob"] } : {};
	return { claudeCode: { options: { settingSources: [], promptSuggestions: false, ...tools } } };
}

function keyMethods(hello: Fields): readonly string[] {
	return listOf(hello["authMethods"])
		.map(fieldsOf)
		.flatMap(({ id, name, type }) => {
			const isKey = /api[ _-]?key/i.test(`${wordsOf(id)} ${wordsOf(name)}`) && type !== "terminal";
			return isKey ? (wordsOf(id) ?? []) : [];
		});
}

export class AcpSession {
	readonly #connection: ClientConnection;
	readonly #order: SessionOrder;
	#id: string | null = null;
	// The one that waits for its answer, or did so last.
	request = "initialize";
	agentName = "";
	model: string | null = null;
	answer: unknown = null;

	constructor(connection: ClientConnection, order: SessionOrder) {
		this.#connection = connection;
		this.#order = order;
	}

	// Called once. Rejects only because of a bug in Sparring.
	async run(): Promise<SessionResult> {
		try {
			return await this.#converse();
		} catch (error) {
			if (this.#connection.signal.aborted) return "gone";
			if (!isRequestError(error)) throw error;
			return requestFailure(error, this.request);
		}
	}

	cancel(): void {
		if (this.#id === null) return;
		this.#connection.agent.notify("session/cancel", { sessionId: this.#id }).catch(() => undefined);
	}

	async #converse(): Promise<SessionResult> {
		const { call, rights, reader, model } = this.#order;
		const hello = await this.#ask("initialize", {
			protocolVersion: PROTOCOL_VERSION,
			clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
		});
		const version = hello["protocolVersion"];
		if (version !== PROTOCOL_VERSION) return wrongVersion(version);
		this.agentName = wordsOf(fieldsOf(hello["agentInfo"])["name"]) ?? "";
		const session = await this.#open(hello);
		this.#id = wordsOf(session["sessionId"]);
		if (this.#id === null) {
			return { failure: "unknown", message: "opened a session without an id" };
		}
		reader.expect(this.#id);
		const unfit = await this.#chooseModel(session, model);
		if (unfit !== null) return unfit;
		if (rights === "read") await this.#enterReadingMode(session);
		this.answer = await this.#ask("session/prompt", {
			sessionId: this.#id,
			prompt: [{ type: "text", text: call.prompt }],
		});
		return (
			turnFailure({
				stopReason: fieldsOf(this.answer)["stopReason"],
				saidSomething: reader.finalMessage?.trim() !== "",
				lastRefused: reader.lastRefused,
			}) ?? "answered"
		);
	}

	async #open(hello: Fields): Promise<Fields> {
		const { call, rights, hasKey } = this.#order;
		const offered = fieldsOf(fieldsOf(hello["agentCapabilities"])["sessionCapabilities"]);
		const mayAdd = typeof offered["additionalDirectories"] === "object";
		const added = mayAdd ? { additionalDirectories: [call.workDir] } : {};
		const params = { cwd: call.cwd, mcpServers: [], ...added, _meta: metadata(rights) };
		try {
			return await this.#ask("session/new", params);
		} catch (error) {
			if (!hasKey || !isRequestError(error)) throw error;
			for (const methodId of keyMethods(hello)) {
				if (await this.#signIn(methodId)) return this.#ask("session/new", params);
			}
			throw error;
		}
	}

	async #signIn(methodId: string): Promise<boolean> {
		try {
			await this.#ask("authenticate", { methodId });
			return true;
		} catch (error) {
			if (!isRequestError(error)) throw error;
			return false;
		}
	}

	// A model that is not offered by exactly this name is not replaced by another one.
	async #chooseModel(session: Fields, wanted: string | undefined): Promise<SessionFailure | null> {
		const offer = configOffer(session, "model") ?? listedOffer(session, "model");
		const current = offer?.current ?? null;
		if (wanted === undefined) {
			this.model = current === null || NO_MODEL.test(current) ? null : current;
			return null;
		}
		this.model = wanted;
		if (wanted === current) return null;
		if (offer === null || !offer.values.includes(wanted)) return notOffered(offer, wanted);
		const answer = await this.#choose(offer.choose(wanted));
		const set = configOffer(answer, "model")?.current ?? wanted;
		if (set === wanted) return null;
		const message = `set the model ${quote(set)} although ${quote(wanted)} was chosen`;
		return { failure: "unknown", message };
	}

	// The client's answers enforce the seat's rights; a mode only saves the agent from being refused.
	async #enterReadingMode(session: Fields): Promise<void> {
		const choice = chooseReadingMode(session);
		if (choice === null) return;
		try {
			await this.#choose(choice);
		} catch (error) {
			if (!isRequestError(error)) throw error;
			this.#order.reader.note(`the agent did not enter its reading mode: ${quote(String(error))}`);
		}
	}

	#choose({ method, params }: SettingChoice): Promise<Fields> {
		return this.#ask(method, { sessionId: this.#id, ...params });
	}

	async #ask(method: string, params: unknown): Promise<Fields> {
		this.request = method;
		return fieldsOf(await this.#connection.agent.request<unknown>(method, params));
	}
}

function isRequestError(error: unknown): boolean {
	return error instanceof Error && error.name === "RequestError";
}

function wrongVersion(version: unknown): SessionFailure {
	const spoken = typeof version === "number" ? `version ${version}` : "no version that it names";
	const message = `speaks ${spoken} of the Agent Client Protocol, not version ${PROTOCOL_VERSION}`;
	return { failure: "unknown", message };
}

interface SettingChoice {
	readonly method: "session/set_config_option" | "session/set_model" | "session/set_mode";
	readonly params: Readonly<Record<string, string>>;
}

interface SettingOffer {
	readonly values: readonly string[];
	readonly current: string | null;
	choose(value: string): SettingChoice;
}

// The strictest first; some agents put an address before.
const READING_MODES = ["read-only", "plan"] as const;

// Not names of models but of rules by which one is taken.
const NO_MODEL = /^(?:default|auto)/i;

const MAX_NAMED = 40;

function valuesOf(options: unknown): readonly string[] {
	return listOf(options).flatMap((option) => {
		const { value, options: grouped } = fieldsOf(option);
		const own = wordsOf(value);
		return own === null
			? listOf(grouped).flatMap((one) => wordsOf(fieldsOf(one)["value"]) ?? [])
			: [own];
	});
}

function configOffer(session: Fields, what: "model" | "mode"): SettingOffer | null {
	const options = listOf(session["configOptions"]).map(fieldsOf);
	const option =
		options.find(({ category }) => category === what) ?? options.find(({ id }) => id === what);
	const configId = wordsOf(option?.["id"]);
	if (option === undefined || configId === null) return null;
	return {
		values: valuesOf(option["options"]),
		current: wordsOf(option["currentValue"]),
		choose: (value) => ({ method: "session/set_config_option", params: { configId, value } }),
	};
}

const LISTED = {
	model: { all: "models", list: "availableModels", id: "modelId", current: "currentModelId" },
	mode: { all: "modes", list: "availableModes", id: "id", current: "currentModeId" },
} as const;

function listedOffer(session: Fields, what: "model" | "mode"): SettingOffer | null {
	const { all, list, id, current } = LISTED[what];
	const offered = fieldsOf(session[all]);
	const values = listOf(offered[list]).flatMap((one) => wordsOf(fieldsOf(one)[id]) ?? []);
	if (values.length === 0) return null;
	return {
		values,
		current: wordsOf(offered[current]),
		choose: (value) => ({ method: `session/set_${what}`, params: { [`${what}Id`]: value } }),
	};
}

function notOffered(offer: SettingOffer | null, wanted: string): SessionFailure {
	if (offer === null) {
		const message = `offers no choice of models: name ${quote(wanted)} in its own arguments`;
		return { failure: "unknown", message };
	}
	const named = offer.values.slice(0, MAX_NAMED).map(quote).join(", ");
	const more =
		offer.values.length > MAX_NAMED ? ` and ${offer.values.length - MAX_NAMED} more` : "";
	const message = `offers no model ${quote(wanted)}, only ${named}${more}`;
	return { failure: "unknown", message };
}

function chooseReadingMode(session: Fields): SettingChoice | null {
	const offer = listedOffer(session, "mode") ?? configOffer(session, "mode");
	for (const mode of READING_MODES) {
		const value = offer?.values.find((one) => one === mode || one.endsWith(`#${mode}`));
		if (value !== undefined)
			return value === offer?.current ? null : (offer?.choose(value) ?? null);
	}
	return null;
}
