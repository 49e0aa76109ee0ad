import { Fault } from "../kernel/fault.ts";
import { namesInTemplate } from "../kernel/fill-template.ts";
import { canonicalJson } from "../kernel/json.ts";
import { firstMark, markOf } from "../masking/mark.ts";
import { type KnownSecret, type Masker, maskDeep } from "../masking/masking.ts";
import { SecretMasker, secretsByPattern } from "../masking/secret-masker.ts";
import { secretsInText, secretsOf } from "../masking/secrets.ts";
import { secretsInFile } from "../masking/secrets-in-files.ts";
import { variablesOf } from "../workflow/harnesses.ts";
import type { Workflow } from "../workflow/workflow.ts";

type Environment = Readonly<Record<string, string | undefined>>;

// A list of words also as one line, so that `--token` and its value stand together.
function stringsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null) return [];
	const line =
		Array.isArray(value) && value.every((word) => typeof word === "string")
			? [value.join(" ")]
			: [];
	return [...line, ...Object.values(value).flatMap((inner: unknown) => stringsIn(inner))];
}

function namedVariables({ agents, human }: Pick<Workflow, "agents" | "human">): string[] {
	const webhooks = webhooksOf(human).flatMap(({ url, headers = {} }) => [
		url,
		...Object.values(headers),
	]);
	return [...Object.values(agents).flatMap(variablesOf), ...webhooks.flatMap(namesInTemplate)];
}

function webhooksOf({ notify }: Workflow["human"]) {
	const all = [...(notify?.onCreated ?? []), ...(notify?.onT2Gate ?? []), ...(notify?.onEnd ?? [])];
	return all.filter((notifier) => notifier.type === "webhook");
}

// As options of a command line, so that a name says what its value is.
function headerTexts({ human }: Pick<Workflow, "human">): string[] {
	return webhooksOf(human).flatMap(({ headers = {} }) =>
		Object.entries(headers).map(([name, value]) => `--${name}="${value}"`),
	);
}

// A text that only looks like a secret in the workflow is known from then on: so it can be put back on resume.
function knownSecrets(env: Environment, workflow: Workflow | null): KnownSecret[] {
	if (workflow === null) return secretsOf(env, []);
	const texts = [...stringsIn(workflow), ...headerTexts(workflow)];
	return [
		...secretsOf(env, namedVariables(workflow)),
		...secretsInFile((workflow.env ?? []).map((name) => `${name}=${env[name] ?? ""}`).join("\n")),
		...secretsInText(texts),
		...secretsByPattern(texts),
	];
}

/**
 * The masker of a run: the same for every rim.
 *
 * @param copied values of the files that the run copies
 */
export function maskerOf(
	env: Environment,
	workflow: Workflow | null,
	copied: readonly KnownSecret[] = [],
): Masker {
	return new SecretMasker([...knownSecrets(env, workflow), ...copied]);
}

/** The workflow as it is stored: a secret that was written into it is a mark there. */
export function storedWorkflow(workflow: Workflow, masker: Masker): Workflow {
	return maskDeep(masker, workflow);
}

/**
 * The stored workflow with its secrets put back, from the environment and the workflow file as they are now.
 *
 * @param current the workflow file as it loads today; null when it is gone or invalid
 * @throws Fault `run-not-resumable` when a secret that the workflow needs is no longer known
 */
export function revealedWorkflow(
	stored: Workflow,
	env: Environment,
	current: Workflow | null,
): Workflow {
	if (firstMark(JSON.stringify(stored)) === undefined) return stored;
	// One mark stands for every spelling of a secret: the file itself tells which, if it says the same otherwise.
	if (current !== null && isSame(storedWorkflow(current, maskerOf(env, current)), stored)) {
		return current;
	}
	const secrets = [...secretsOf(env, namedVariables(stored)), ...knownSecrets(env, current)];
	// The first of two with one mark is the one that masked.
	const marks = new Map(
		secrets.toReversed().map(({ value, rule }) => [markOf(rule, value), value]),
	);
	const revealed = reveal(stored, marks);
	const missing = firstMark(JSON.stringify(revealed));
	if (missing === undefined) return revealed;
	throw new Fault(`the run needs a secret that is no longer set (${missing})`, {
		code: "run-not-resumable",
		hint: "Set it again in the workflow file or the environment, then `spar resume`.",
	});
}

const isSame = (a: Workflow, b: Workflow): boolean => canonicalJson(a) === canonicalJson(b);

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
