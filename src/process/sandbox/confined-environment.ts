import { join } from "node:path";

/**
 * Caches without which their tools fail when they cannot write them. Not all of `XDG_CACHE_HOME`: what is only read
 * there, such as browsers for tests and package managers, is still found.
 */
const CACHES: Readonly<Record<string, string>> = {
	npm_config_cache: "npm",
	YARN_CACHE_FOLDER: "yarn",
	PIP_CACHE_DIR: "pip",
	UV_CACHE_DIR: "uv",
	GOCACHE: "go-build",
	CCACHE_DIR: "ccache",
};

/** What reaches the loopback inside without the proxy. No other address can be reached without it. */
const DIRECT = "localhost,127.0.0.1,::1";

/**
 * Variables that a program needs to work in the sandbox, besides those of its request.
 *
 * Caches lie below the temporary directory of the call unless the request names a writable place for them: one that
 * calls share would let an agent plant what a check then runs.
 *
 * @param tmp a writable directory of this call alone
 * @param isWritable whether the sandbox leaves an absolute path writable
 */
export function confinedEnvironment(
	env: Readonly<Record<string, string>>,
	tmp: string,
	isWritable: (path: string) => boolean,
): Record<string, string> {
	const caches = Object.entries(CACHES).flatMap(([name, folder]) => {
		const given = env[name];
		const kept = given !== undefined && isWritable(given);
		return kept ? [] : [[name, join(tmp, "cache", folder)] as const];
	});
	return {
		...Object.fromEntries(caches),
		TMPDIR: tmp,
		NO_PROXY: DIRECT,
		no_proxy: DIRECT,
		// Without it `fetch` of Node looks the host up itself, and there is nobody to ask.
		NODE_USE_ENV_PROXY: "1",
	};
}
