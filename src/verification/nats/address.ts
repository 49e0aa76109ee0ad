import { readFileSync } from "node:fs";
import { Fault } from "../../kernel/fault.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type { NatsSettings } from "../../workflow/workflow.ts";

export interface NatsAddress {
	readonly servers: readonly string[];
	/** The servers as a message names them. */
	readonly shown: string;
	readonly user: string | undefined;
	readonly password: string | undefined;
	readonly token: string | undefined;
	readonly creds: string | undefined;
}

const DEFAULT = "nats://127.0.0.1:4222";

// Asks no server. `NATS_URL` wins over the workflow file; who asks: `NATS_USER` and `NATS_PASSWORD`, `NATS_TOKEN`, `NATS_CREDS` (a
// file), or the user in `NATS_URL`.
export function addressOf(
	{ servers }: Pick<NatsSettings, "servers">,
	env: Readonly<Record<string, string | undefined>>,
): NatsAddress {
	const named = env["NATS_URL"]?.trim() ?? "";
	const chosen = named === "" ? servers : named.split(",");
	const parsed = (chosen.length === 0 ? [DEFAULT] : chosen).map((each) =>
		parsedServer(each.trim()),
	);
	const [first] = parsed;
	const all = parsed.map(({ server }) => server);
	return {
		servers: all,
		shown: all.join(", "),
		user: env["NATS_USER"] || first?.user,
		password: env["NATS_PASSWORD"] || first?.password,
		token: env["NATS_TOKEN"] || undefined,
		creds: credsIn(env["NATS_CREDS"]),
	};
}

// The fault does not repeat the address: it may hold a password.
function parsedServer(text: string) {
	const url = URL.parse(text.includes("://") ? text : `nats://${text}`);
	if (url === null || url.hostname === "")
		throw new Fault("NATS_URL holds no address of a NATS server", {
			code: "usage",
			hint: "Set it to an address such as nats://127.0.0.1:4222; several are separated by commas.",
		});
	const { protocol, hostname, port, username, password } = url;
	return {
		server: `${protocol}//${hostname}:${port || "4222"}`,
		user: username === "" ? undefined : decodeURIComponent(username),
		password: password === "" ? undefined : decodeURIComponent(password),
	};
}

function credsIn(path: string | undefined): string | undefined {
	if (path === undefined || path === "") return undefined;
	try {
		return readFileSync(path, "utf8");
	} catch (cause) {
		throw new Fault(`NATS_CREDS names ${path}, which cannot be read (${systemCode(cause)})`, {
			code: "usage",
			hint: "Name the credentials file that NATS gave you.",
			cause,
		});
	}
}
