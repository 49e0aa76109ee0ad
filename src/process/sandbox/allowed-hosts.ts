const LOOPBACK = /^(?:localhost|127\.0\.0\.1):(\d{1,5})$/;

const LARGEST_PORT = 65_535;

/**
 * The loopback ports among the allowed hosts: `localhost:PORT` and `127.0.0.1:PORT`.
 *
 * @example `loopbackPorts(["api.example.com", "localhost:11434"])` is `[11434]`
 */
export function loopbackPorts(hosts: readonly string[]): readonly number[] {
	const ports = hosts.map((host) => Number(LOOPBACK.exec(host.toLowerCase())?.[1]));
	return [...new Set(ports.filter((port) => port > 0 && port <= LARGEST_PORT))];
}

/**
 * The allowed hosts for the proxy. Loopback ports use the address, since the proxy refuses names that resolve to the
 * loopback.
 */
export function proxyHosts(hosts: readonly string[]): readonly string[] {
	const ports = loopbackPorts(hosts);
	const others = hosts.filter((host) => !LOOPBACK.test(host.toLowerCase()));
	return [...others, ...ports.map((port) => `127.0.0.1:${port}`)];
}
