import { BRACES, fillTemplate, namesInTemplate } from "../kernel/fill-template.ts";
import { holdsPassword } from "../kernel/holds-password.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { webhookAddress } from "../kernel/webhook.ts";
import { globProblem } from "./glob.ts";
import { MESSAGE_NAMES, UNTAGGED } from "./limits.ts";
import { pathProblem } from "./relative-path.ts";
import { nameProblem } from "./safe-name.ts";
import type { Complaint } from "./schema-values.ts";

export function aboutPath(path: string): Complaint | undefined {
	const problem = pathProblem(path);
	return problem === undefined ? undefined : { message: `${quote(path)} ${problem}` };
}

export function aboutGlob(glob: string): Complaint | undefined {
	const problem = globProblem(glob);
	return problem && { ...problem, message: `${quote(glob)} ${problem.message}` };
}

export function aboutCopy(path: string): Complaint | undefined {
	if (/^(?:\.\/)*\.sparring(?:\/|$)/.test(path))
		return { message: `${quote(path)} is Sparring's own state` };
	const glob = globProblem(path);
	return aboutPath(path) ?? (glob && { message: `${quote(path)} ${glob.message}` });
}

/** Sellers of models by API, as `model` names them before the slash. */
export const PROVIDERS: readonly string[] = ["google", "anthropic", "openai", "openai-compatible"];

export function aboutModel(model: string): Complaint | undefined {
	const [provider = "", ...rest] = model.split("/");
	if (provider === "" || rest.join("/").trim() === "")
		return {
			message: `model ${quote(model)} must be PROVIDER/NAME`,
			hint: `such as google/gemini-flash-latest; providers: ${PROVIDERS.join(", ")}`,
		};
	if (PROVIDERS.includes(provider)) return undefined;
	return {
		message: `unknown provider ${quote(provider)}`,
		hint: suggestion(provider, PROVIDERS),
	};
}

export function aboutBaseUrl(address: string): Complaint | undefined {
	const url = URL.parse(address);
	if (url === null || !["http:", "https:"].includes(url.protocol))
		return {
			message: `base_url ${quote(address)} is not an http or https URL`,
			hint: "such as http://127.0.0.1:11434/v1",
		};
	if (url.username === "" && url.password === "") return undefined;
	return {
		message: "base_url must not contain a user name or password",
		hint: "name the variable that holds the key in `env`",
	};
}

/** The address itself is not shown: it may hold a password. */
export function aboutStore(store: string): Complaint | undefined {
	if (URL.parse(store)?.protocol !== "postgres:")
		return {
			message: "store must be a postgres:// address",
			hint: "such as postgres://spar@db.example.org/sparring",
		};
	if (!holdsPassword(store)) return undefined;
	return {
		message: "store must not contain a password",
		hint: "give it outside of the file: in SPAR_STORE, in PGPASSWORD, or in a passfile (~/.pgpass)",
	};
}

export function tagJudge(): (tag: string) => Complaint | undefined {
	const seen = new Set<string>();
	return (tag) => {
		const isTwice = seen.has(tag);
		seen.add(tag);
		const problem = nameProblem(tag);
		if (problem !== undefined) return { message: `tag ${quote(tag)} ${problem}` };
		if (tag === UNTAGGED)
			return {
				message: `a tag cannot be named ${quote(tag)}`,
				hint: "agents that any machine can run have no tags: remove it",
			};
		return isTwice ? { message: `tag ${quote(tag)} is listed twice` } : undefined;
	};
}

export function subtaskJudge(): (id: string) => readonly Complaint[] {
	const seen = new Map<string, string>();
	return (id) => {
		const problem = nameProblem(id);
		const named = problem === undefined ? [] : [{ message: `subtask ${quote(id)} ${problem}` }];
		const twin = seen.get(id.toLowerCase());
		if (twin === undefined) {
			seen.set(id.toLowerCase(), id);
			return named;
		}
		const message =
			twin === id
				? `duplicate subtask id ${quote(id)}`
				: `subtask ${quote(id)} differs from ${quote(twin)} only in case`;
		return [...named, { message, hint: "rename one of the two" }];
	};
}

const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

const LONGEST_HOST = 253;

/**
 * Accepts a name with a dot, an IPv4 address, or `*.` and a name with a dot, each with `:` and a port when just that
 * one is meant; `localhost` needs its port.
 */
export function aboutHost(entry: string): Complaint | undefined {
	const refused = (message: string, hint: string): Complaint => ({
		message: `allow_hosts: ${quote(entry)} ${message}`,
		hint,
	});
	const bare = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/\/.*$/s, "");
	if (bare !== entry)
		return refused("is an address, not a host", `write the host only: ${quote(bare)}`);
	const [host = "", ...ports] = entry.split(":");
	if (ports.length > 0 && !isPort(ports.join(":")))
		return refused("has no valid port after its colon", "a number from 1 to 65535");
	if (ports.length === 0 && /^(?:localhost|127\.0\.0\.1)$/i.test(host))
		return refused("needs a port", "name the port of the local service, such as localhost:11434");
	const name = host.startsWith("*.") ? host.slice(2) : host;
	if (host === "*" || (name !== host && !name.includes(".")))
		return refused("is too broad", "name the hosts, or the subdomains of one: *.example.org");
	const isName = name.length <= LONGEST_HOST && name.split(".").every((each) => LABEL.test(each));
	if (isName && (name.includes(".") || name.toLowerCase() === "localhost")) return undefined;
	return refused("is not a valid host", "such as registry.example.org or *.example.org");
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

export function aboutMessage(message: string): readonly Complaint[] {
	const known: readonly string[] = MESSAGE_NAMES;
	const unknown = [...message.matchAll(BRACES)].filter(([, name = ""]) => !known.includes(name));
	return unknown.map(({ 0: placeholder, 1: name = "", index: from }) => ({
		message: `unknown placeholder ${quote(placeholder)}: known are ${known.map((each) => `{${each}}`).join(", ")}`,
		hint: suggestion(name, known),
		within: { text: message, from },
	}));
}

export const wordJudge =
	(known: readonly string[]) =>
	(): ((text: string, index: number) => readonly Complaint[]) =>
	(text, index) =>
		namesInTemplate(text).flatMap((name): Complaint | readonly Complaint[] => {
			const within = { text, from: text.indexOf(`\${${name}}`) };
			if (index === 0)
				return {
					message: "the program of a notification cannot contain a placeholder",
					hint: "write its name; placeholders are for the arguments",
					within,
				};
			if (known.includes(name)) return [];
			const message = `unknown placeholder ${quote(`\${${name}}`)}`;
			return { message, hint: suggestion(name, known), within };
		});

/**
 * Sees what can be seen before placeholders are filled. An address that one may still change up to its host is checked
 * when it is used.
 */
export function aboutWebhook(address: string): Complaint | undefined {
	const before = address.replace(/\$\{.*$/s, "");
	const isFixed = before === address || /^[a-z]+:\/\/[^/?#]+[/?#]/i.test(before);
	if (!isFixed) return undefined;
	const filled = fillTemplate(address, () => "x");
	const checked = webhookAddress(filled.kind === "filled" ? filled.text : address);
	if (checked.kind !== "refused") return undefined;
	return {
		message: checked.reason,
		hint: "for example https://hooks.example.org/; write a secret part as a placeholder",
	};
}
