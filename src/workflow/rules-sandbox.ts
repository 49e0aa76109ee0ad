import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";

/** One label of a host name. */
const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/** Longest host name, in characters (RFC 1035). */
const LONGEST_HOST = 253;

/** Rules about the hosts of `sandbox`, and about what has no effect there. */
export function reportSandbox(sandbox: Field, report: Reporter): void {
	const hosts = sandbox.at("allow_hosts");
	for (const { text, field } of hosts.texts()) {
		const problem = hostProblem(text);
		if (problem === undefined) continue;
		report.error(field, `allow_hosts: ${quote(text)} ${problem.message}`, problem.hint);
	}
	if (sandbox.at("mode").value !== "off") return;
	const sockets = sandbox.at("unix_sockets");
	if (hosts.items().length > 0) reportIdle("allow_hosts", hosts, report);
	if (sockets.value === true) reportIdle("unix_sockets", sockets, report);
}

function reportIdle(key: string, field: Field, report: Reporter): void {
	report.warning(
		field,
		`${key} has no effect: the sandbox is off`,
		`set \`mode: auto\`, or remove \`${key}\``,
	);
}

interface Problem {
	readonly message: string;
	readonly hint: string;
}

/**
 * Why a text names no host that a sandbox can let through; undefined when it does: a name with a dot, an IPv4 address,
 * or `*.` and a name with a dot, each with `:` and a port when just that one is meant; `localhost` needs its port.
 *
 * @example `hostProblem("*.com")?.message` is `"is too broad"`
 */
function hostProblem(entry: string): Problem | undefined {
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry) || entry.includes("/")) {
		const name = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/\/.*$/s, "");
		return { message: "is an address, not a host", hint: `write the host only: ${quote(name)}` };
	}
	const colon = entry.indexOf(":");
	const host = colon === -1 ? entry : entry.slice(0, colon);
	if (colon !== -1 && !isPort(entry.slice(colon + 1)))
		return { message: "has no valid port after its colon", hint: "a number from 1 to 65535" };
	if (colon === -1 && /^(?:localhost|127\.0\.0\.1)$/i.test(host))
		return {
			message: "needs a port",
			hint: "name the port of the local service, such as localhost:11434",
		};
	return nameProblem(host);
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

function nameProblem(host: string): Problem | undefined {
	const name = host.startsWith("*.") ? host.slice(2) : host;
	if (host === "*" || (name !== host && !name.includes(".")))
		return {
			message: "is too broad",
			hint: "name the hosts, or the subdomains of one: *.example.org",
		};
	const isName = name.length <= LONGEST_HOST && name.split(".").every((each) => LABEL.test(each));
	if (isName && (name.includes(".") || name.toLowerCase() === "localhost")) return undefined;
	return { message: "is not a valid host", hint: "such as registry.example.org or *.example.org" };
}
