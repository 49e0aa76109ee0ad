import { join } from "node:path";

/**
 * Caches of tools that fail when they cannot write them. Not all of `XDG_CACHE_HOME`, so that files that are only read
 * there, such as browsers for tests, are still found.
 */
const CACHES: Readonly<Record<string, string>> = {
	npm_config_cache: "npm",
	YARN_CACHE_FOLDER: "yarn",
	PNPM_HOME: "pnpm",
	BUN_INSTALL_CACHE_DIR: "bun",
	PIP_CACHE_DIR: "pip",
	UV_CACHE_DIR: "uv",
	POETRY_CACHE_DIR: "poetry",
	GOCACHE: "go-build",
	CCACHE_DIR: "ccache",
};

/** The sandbox's loopback, which needs no proxy. All other addresses do. */
const DIRECT = "localhost,127.0.0.1,::1";

/**
 * Additional variables that a program needs in the sandbox.
 *
 * Caches are in the call's temporary directory, unless the request names a writable one. In a shared cache an agent could
 * plant files that a check then runs.
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
		// Without it Node's `fetch` resolves the host itself, and the sandbox has no DNS.
		NODE_USE_ENV_PROXY: "1",
	};
}
