import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";

/** Variables as `process.env` holds them. */
export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/** What programs need to work and what is no secret. Principle 9: nothing else reaches a child. */
const ALLOWED: readonly string[] = [
	...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TZ"],
	...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "XDG_RUNTIME_DIR"],
	...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
	...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
	...["JAVA_HOME", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME"],
	...["PYENV_ROOT", "NVM_DIR", "VOLTA_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "VIRTUAL_ENV"],
	...["CONDA_PREFIX", "RBENV_ROOT", "GEM_HOME", "SystemRoot", "COMSPEC", "PATHEXT"],
];

const ALLOWED_PATTERN = /^(?:LC_[A-Z]+|XDG_[A-Z]+_HOME)$/;

const isPackageBin = (folder: string): boolean =>
	/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(normalize(folder));

/** Whether a folder holds an executable `node`. */
function holdsNode(folder: string): boolean {
	const name = process.platform === "win32" ? "node.exe" : "node";
	try {
		accessSync(join(folder, name), constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/**
 * The search path for children.
 *
 * Relative folders are dropped: they would be looked up in a checkout, where an agent can plant programs. So are
 * folders `node_modules/.bin`: `npm run` and `npx` put those of the place where they were started in front, and
 * a check would then find the tools of another package before those of its own checkout, or find tools that are
 * missing for everybody else. They stay only where they alone provide `node`.
 */
function childPath(path: string, providesNode: (folder: string) => boolean): string {
	const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
	const kept = folders.filter((folder) => !isPackageBin(folder));
	if (kept.some(providesNode)) return kept.join(delimiter);
	return folders.filter((folder) => !isPackageBin(folder) || providesNode(folder)).join(delimiter);
}

/**
 * The environment of a child process: an allow-list, and the variables that the workflow names.
 *
 * Not inherited, among others: credentials, `NODE_OPTIONS`, `GIT_*`, `npm_*`, `TMPDIR`, `CI`.
 *
 * @param extraNames names that are passed on as well, such as an agent's `env`; those without a value are left out
 * @param providesNode for tests: whether a folder of PATH holds `node`
 */
export function childEnvironment(
	source: EnvironmentSource,
	extraNames: readonly string[] = [],
	providesNode: (folder: string) => boolean = holdsNode,
): Record<string, string> {
	const names = new Set([...ALLOWED, ...extraNames]);
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(source)) {
		if (value === undefined || !(names.has(name) || ALLOWED_PATTERN.test(name))) continue;
		environment[name] = name === "PATH" ? childPath(value, providesNode) : value;
	}
	return environment;
}
