/** How a program is started inside the sandbox. */
export interface Launch {
	readonly command: readonly [string, ...string[]];
	/** Set besides what the sandbox leaves of the environment, and over it. Readable by the user's processes. */
	readonly env: Readonly<Record<string, string>>;
	/** Ports of our own machine's loopback that are to be found on the loopback inside; none outside of Linux. */
	readonly ports: readonly number[];
	/** Whether SIGTERM, which the wrappers outside ignore, is to be set back by `env --default-signal`. */
	readonly restoreSignal: boolean;
}

/** Port inside on which the runtime's proxy listens (Linux). */
const PROXY_PORT = 3128;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

/**
 * Relays for ports of the host's loopback. Only TCP, so that they work after the filter that forbids Unix sockets; in
 * a subshell, so that the program has no children that it did not start. What cannot be relayed is not waited for
 * longer than 2 s.
 */
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
 * The text of a shell script that starts a program in the sandbox: a file, since a command line would be quoted three
 * times over on its way in, and may hold 128 KiB only.
 */
export function launchScript({ command, env, ports, restoreSignal }: Launch): string {
	const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`);
	const words = command.map(quote).join(" ");
	// By a shell of its own, since `env` takes a program with `=` in its path for a variable.
	const restored = `exec env --default-signal=TERM /bin/sh -c 'exec "$0" "$@"' ${words}`;
	return [...relayLines(ports), ...variables, restoreSignal ? restored : `exec ${words}`, ""].join(
		"\n",
	);
}
