import { findPackageJSON } from "node:module";
import { Fault } from "../../kernel/fault.ts";
import { type ModelOptions, modelAddress, modelKey, type Variables } from "./model-access.ts";
import { modelName } from "./provider.ts";

const CORE = "ai";

/** A model in a workflow. */
export interface RequiredModel {
	/** Name of the agent in the workflow; the model's own where it is nobody's agent. */
	readonly agent: string;
	/** `PROVIDER/NAME`. */
	readonly model: string;
	readonly baseUrl: string | undefined;
	/** Variables that the workflow's `env` names for this agent. */
	readonly named: readonly string[];
	/** Sparring's own environment. */
	readonly env: Variables;
}

const needs = (agent: string, model: string, what: string): string =>
	agent === model
		? `the model ${model} needs ${what}`
		: `agent ${agent} needs ${what} for the model ${model}`;

function isInstalled(packageName: string, from: string): boolean {
	try {
		return findPackageJSON(packageName, from) !== undefined;
	} catch {
		return false;
	}
}

/**
 * Looks for the packages that a model needs, which are optional peer dependencies, without loading them.
 *
 * @param agent name of the agent, for the message; the model's own where it is nobody's agent
 * @param from URL of the file from which they would be imported
 * @throws Fault `program-missing` with the command that installs them; `workflow-invalid` for an unknown provider
 */
export function requireModelPackages(
	agent: string,
	model: string,
	from: string = import.meta.url,
): void {
	const wanted = [CORE, modelName(model).provider.packageName];
	const missing = wanted.filter((packageName) => !isInstalled(packageName, from));
	if (missing.length === 0) return;
	const what = `npm package${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}`;
	throw new Fault(needs(agent, model, `the ${what}`), {
		code: "program-missing",
		hint: `Run \`npm install ${wanted.join(" ")}\` where Sparring is installed.`,
	});
}

// Returns the variable that holds it; null for a provider that needs none and has none.
function requireModelKey(agent: string, options: ModelOptions): string | null {
	const { provider } = modelName(options.model);
	const key = modelKey(options);
	if (key !== null || !provider.needsKey) return key?.variable ?? null;
	const [preferred] = provider.keyVariables;
	const looked = [...new Set([...Object.keys(options.named), ...provider.keyVariables])];
	const none =
		looked.length === 1 ? `${preferred} is not set` : `none of these is set: ${looked.join(", ")}`;
	const elsewhere =
		agent === options.model
			? ""
			: ", or name the variable that holds the key under `env` of the agent";
	throw new Fault(`${needs(agent, options.model, "a key")}, and ${none}`, {
		code: "program-missing",
		hint: `Set ${preferred}${elsewhere}.`,
	});
}

/**
 * Looks for all that a model needs before anything runs: its packages, its address and its key. Makes no request.
 *
 * @returns the variable that holds the key; null for a provider that needs none and has none
 * @throws Fault `program-missing` for a package or a key, `workflow-invalid` for an unknown provider or no address
 */
export function requireModel({ agent, named, ...model }: RequiredModel): string | null {
	const values = named.map((name) => [name, model.env[name] ?? ""] as const);
	return requireUsable(agent, { ...model, named: Object.fromEntries(values) });
}

/**
 * The same for a model whose variables have been read.
 *
 * @throws Fault as `requireModel`
 */
export function requireUsable(agent: string, options: ModelOptions): string | null {
	requireModelPackages(agent, options.model);
	modelAddress(options);
	return requireModelKey(agent, options);
}
