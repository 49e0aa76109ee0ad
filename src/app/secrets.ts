import { Fault } from "../kernel/fault.ts";
import { fillTemplate } from "../kernel/fill-template.ts";
import { sha256 } from "../kernel/json.ts";
import { type KnownSecret, type Masker, maskDeep, maskerFor } from "../kernel/masking.ts";
import { secretsInText, secretsOf } from "../process/secrets.ts";
import type { Workflow } from "../workflow/workflow.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** All strings inside a value; a list of words also as one line, so that `--token` and its value stand together. */
function stringsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null) return [];
	const line =
		Array.isArray(value) && value.every((word) => typeof word === "string")
			? [value.join(" ")]
			: [];
	return [...line, ...Object.values(value).flatMap((inner: unknown) => stringsIn(inner))];
}

/** The variables that `${NAME}` stands for in a text. */
function placeholdersIn(text: string): readonly string[] {
	const filled = fillTemplate(text, () => undefined);
	return filled.kind === "unknown" ? filled.names : [];
}

/** Variables whose values are secrets whatever they are called: those of agents, and of webhooks. */
function namedVariables({ agents, human }: Pick<Workflow, "agents" | "human">): string[] {
	const webhooks = webhooksOf(human).flatMap(({ url, headers = {} }) => [
		url,
		...Object.values(headers),
	]);
	return [...Object.values(agents).flatMap(({ env }) => env), ...webhooks.flatMap(placeholdersIn)];
}

function webhooksOf({ notify }: Workflow["human"]) {
	const all = [...(notify?.onCreated ?? []), ...(notify?.onT2Gate ?? [])];
	return all.filter((notifier) => notifier.type === "webhook");
}

/** Headers of webhooks as options of a command line, so that a name says what its value is. */
function headerTexts({ human }: Pick<Workflow, "human">): string[] {
	return webhooksOf(human).flatMap(({ headers = {} }) =>
		Object.entries(headers).map(([name, value]) => `--${name}="${value}"`),
	);
}

/** The secrets that Sparring knows of: credentials of the environment, and those written into the workflow. */
function knownSecrets(env: Environment, workflow: Workflow | null): KnownSecret[] {
	if (workflow === null) return secretsOf(env, []);
	return [
		...secretsOf(env, namedVariables(workflow)),
		...secretsInText([...stringsIn(workflow), ...headerTexts(workflow)]),
	];
}

/** The masker of a run: the same for every rim. */
export function maskerOf(env: Environment, workflow: Workflow | null): Masker {
	return maskerFor(knownSecrets(env, workflow));
}

/** The workflow as it is stored: a secret that was written into it is a mark there. */
export function storedWorkflow(workflow: Workflow, masker: Masker): Workflow {
	return maskDeep(masker, workflow);
}

const MARK = /\[MASKED:[a-z0-9_-]+:[0-9a-f]{4}\]/;

/**
 * The stored workflow with its secrets put back, from the environment and the workflow file as they are now.
 *
 * @param current the workflow file as it loads today; null when it is gone or invalid
 * @throws Fault `run-not-resumable` when a secret that the workflow needs is known no more
 */
export function revealedWorkflow(
	stored: Workflow,
	env: Environment,
	current: Workflow | null,
): Workflow {
	if (!MARK.test(JSON.stringify(stored))) return stored;
	const secrets = [...secretsOf(env, namedVariables(stored)), ...knownSecrets(env, current)];
	const marks = new Map(
		secrets.map(({ value, rule }) => [`[MASKED:${rule}:${sha256(value).slice(0, 4)}]`, value]),
	);
	const revealed = reveal(stored, marks);
	const missing = MARK.exec(JSON.stringify(revealed));
	if (missing === null) return revealed;
	throw new Fault(`the run's workflow holds a secret that is known no more (${missing[0]})`, {
		code: "run-not-resumable",
		hint: "Put it back where it stood, in the workflow file or the environment, then resume.",
	});
}

function reveal<T>(value: T, marks: ReadonlyMap<string, string>): T;
function reveal(value: unknown, marks: ReadonlyMap<string, string>): unknown {
	if (typeof value === "string") {
		return [...marks].reduce((text, [mark, secret]) => text.replaceAll(mark, () => secret), value);
	}
	if (Array.isArray(value)) return value.map((inner: unknown) => reveal(inner, marks));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, reveal(inner as unknown, marks)]),
	);
}
