import { type Fields, fieldsOf, listOf, wordsOf } from "../fields.ts";
import { quote } from "../quote.ts";

/** A request that chooses something for a session; its parameters besides the session's id. */
export interface Choice {
	readonly method: "session/set_config_option" | "session/set_model" | "session/set_mode";
	readonly params: Readonly<Record<string, string>>;
}

/** What one list of choices offers. */
interface Offer {
	readonly values: readonly string[];
	readonly current: string | null;
	choose(value: string): Choice;
}

/** Modes in which agents change nothing by themselves, the strictest first; some agents put an address before. */
const READING_MODES = ["read-only", "plan"] as const;

/** Not names of models but of rules by which one is taken. */
const NO_MODEL = /^(?:default|auto)/i;

/** A message lists at most so many names. */
const MAX_NAMED = 40;

/** Options may come in groups. */
function valuesOf(options: unknown): readonly string[] {
	return listOf(options).flatMap((option) => {
		const { value, options: grouped } = fieldsOf(option);
		const own = wordsOf(value);
		return own === null
			? listOf(grouped).flatMap((one) => wordsOf(fieldsOf(one)["value"]) ?? [])
			: [own];
	});
}

function configOffer(session: Fields, what: "model" | "mode"): Offer | null {
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

function modelOffer(session: Fields): Offer | null {
	const configured = configOffer(session, "model");
	if (configured !== null) return configured;
	const models = fieldsOf(session["models"]);
	const values = listOf(models["availableModels"]).flatMap(
		(model) => wordsOf(fieldsOf(model)["modelId"]) ?? [],
	);
	if (values.length === 0) return null;
	return {
		values,
		current: wordsOf(models["currentModelId"]),
		choose: (modelId) => ({ method: "session/set_model", params: { modelId } }),
	};
}

function modeOffer(session: Fields): Offer | null {
	const modes = fieldsOf(session["modes"]);
	const values = listOf(modes["availableModes"]).flatMap(
		(mode) => wordsOf(fieldsOf(mode)["id"]) ?? [],
	);
	if (values.length === 0) return configOffer(session, "mode");
	return {
		values,
		current: wordsOf(modes["currentModeId"]),
		choose: (modeId) => ({ method: "session/set_mode", params: { modeId } }),
	};
}

/** How the model of a session comes about. */
export type ModelChoice =
	| { readonly kind: "as-it-is"; readonly model: string | null }
	| { readonly kind: "chosen"; readonly model: string; readonly choice: Choice }
	| { readonly kind: "not-offered"; readonly message: string };

/**
 * Chooses the model of a session from what the agent offers. A model that is not offered by exactly this name is not
 * replaced by another one.
 *
 * @param session the agent's answer to `session/new`, of any shape
 * @param wanted undefined: the agent's own choice
 */
export function chooseModel(session: unknown, wanted: string | undefined): ModelChoice {
	const offer = modelOffer(fieldsOf(session));
	const current = offer?.current ?? null;
	if (wanted === undefined) {
		return { kind: "as-it-is", model: current === null || NO_MODEL.test(current) ? null : current };
	}
	if (wanted === current) return { kind: "as-it-is", model: current };
	if (offer === null) {
		const message = `offers no choice of models: name ${quote(wanted)} in its own arguments`;
		return { kind: "not-offered", message };
	}
	if (offer.values.includes(wanted)) {
		return { kind: "chosen", model: wanted, choice: offer.choose(wanted) };
	}
	const named = offer.values.slice(0, MAX_NAMED).map(quote).join(", ");
	const more =
		offer.values.length > MAX_NAMED ? ` and ${offer.values.length - MAX_NAMED} more` : "";
	return {
		kind: "not-offered",
		message: `offers no model ${quote(wanted)}, only ${named}${more}`,
	};
}

/**
 * The model that an agent says is set after `chooseModel`; null when its answer does not say.
 *
 * @param answer the agent's answer to the choice, of any shape
 */
export function modelSet(answer: unknown): string | null {
	return configOffer(fieldsOf(answer), "model")?.current ?? null;
}

/**
 * The mode for a seat that only reads, where the agent offers one that is known.
 *
 * @returns null when none is offered or it is set already. It is no safeguard: agents ask for permission to write in it
 * too
 */
export function chooseReadingMode(session: unknown): Choice | null {
	const offer = modeOffer(fieldsOf(session));
	for (const mode of READING_MODES) {
		const value = offer?.values.find((one) => one === mode || one.endsWith(`#${mode}`));
		if (value !== undefined)
			return value === offer?.current ? null : (offer?.choose(value) ?? null);
	}
	return null;
}
