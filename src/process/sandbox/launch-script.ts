export interface Launch {
	readonly command: readonly [string, ...string[]];
	readonly env: Readonly<Record<string, string>>;
	// Of this machine's loopback, to be relayed to the loopback inside. Empty outside of Linux.
	readonly ports: readonly number[];
	// The outer wrappers ignore SIGTERM.
	readonly restoreSignal: boolean;
}

const PROXY_PORT = 3128;

/** Quotes a text as one word for a shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

// Only TCP, since a filter forbids Unix sockets. In a subshell, so that they are not children of the program. Waits at
// most 2 s for each relay.
function relayLines(ports: readonly number[]): string[] {
	if (ports.length === 0) return [];
	// The runtime tells its password only in the proxy's address.
	const login = [
		'spar_login=$(printf %s "$HTTP_PROXY" | sed -e "s,^http://,," -e "s,@.*,," -e "s/%3D/=/g" -e "s,%2F,/,g" -e "s/%2B/+/g")',
	];
	const relays = ports.flatMap((port) => {
		const target = `PROXY:localhost:127.0.0.1:${port},proxyport=${PROXY_PORT},proxyauth="$spar_login"`;
		const listen = `${port},fork,reuseaddr,backlog=4096`;
		const both = `socat TCP6-LISTEN:${listen.replace(",", ",ipv6only=0,")} ${target}`;
		const one = `socat TCP4-LISTEN:${listen} ${target}`;
		return [
			`( { ${both} || exec ${one}; } </dev/null >/dev/null 2>&1 & )`,
			"spar_tries=0",
			`until grep -qs ':${hex(port)} 0*:0000 0A' /proc/net/tcp6 /proc/net/tcp; do`,
			"\tspar_tries=$((spar_tries + 1)); [ $spar_tries -lt 100 ] || break; sleep 0.02",
			"done",
		];
	});
	return [...login, ...relays, "unset spar_login spar_tries"];
}

/**
 * A shell script that starts a program in the sandbox. It is a file, since a command line would be quoted three times
 * and is limited to 128 KiB.
 */
export function launchScript({ command, env, ports, restoreSignal }: Launch): string {
	const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`);
	const words = command.map(quote).join(" ");
	// Through a shell, since `env` takes a program with `=` in its path for a variable.
	const restored = `exec env --default-signal=TERM /bin/sh -c 'exec "$0" "$@"' ${words}`;
	return [...relayLines(ports), ...variables, restoreSignal ? restored : `exec ${words}`, ""].join(
		"\n",
	);
}
