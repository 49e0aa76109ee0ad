import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";

/** Variables as `process.env` holds them. */
export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/** Variables that programs need and that are not secret. No others reach a child. */
const ALLOWED: readonly string[] = [
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"LANG",
	"LANGUAGE",
	"TERM",
	"TZ",
	"NODE_EXTRA_CA_CERTS",
	"SSL_CERT_FILE",
	"SSL_CERT_DIR",
	"XDG_RUNTIME_DIR",
	"HTTP_PROXY",
	"HTTPS_PROXY",
	"NO_PROXY",
	"ALL_PROXY",
	"http_proxy",
	"https_proxy",
	"no_proxy",
	"all_proxy",
	"JAVA_HOME",
	"GOPATH",
	"GOROOT",
	"GOCACHE",
	"GOMODCACHE",
	"CARGO_HOME",
	"RUSTUP_HOME",
	"PYENV_ROOT",
	"NVM_DIR",
	"VOLTA_HOME",
	"ASDF_DIR",
	"ASDF_DATA_DIR",
	"VIRTUAL_ENV",
	"CONDA_PREFIX",
	"RBENV_ROOT",
	"GEM_HOME",
	"SystemRoot",
	"COMSPEC",
	"PATHEXT",
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
 * Drops relative folders, since they would be searched in a checkout, where an agent can plant programs. Also drops
 * `node_modules/.bin`: `npm run` and `npx` add the one of the directory where they were started, and a check would find
 * another package's tools before its own. It stays only if no other folder provides `node`.
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
 * Not passed on, among others: credentials, `NODE_OPTIONS`, `GIT_*`, `npm_*`, `TMPDIR`, `CI`.
 *
 * @param extraNames additional names, such as an agent's `env`
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
