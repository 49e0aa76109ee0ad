import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";

/** Variables as `process.env` holds them. */
export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

// Variables that programs need and that are not secret. No others reach a child.
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

// Folders that package managers put in front: of a package's programs, and yarn's and bun's with a `node` of their own.
const IN_FRONT =
	/[\\/](?:node_modules[\\/]\.bin|yarn--\d+-[\d.]+|xfs-[0-9a-f]+|bun-node-[0-9a-f]+)[\\/]?$/;

const isPutInFront = (folder: string): boolean => IN_FRONT.test(normalize(folder));

function holdsNode(folder: string): boolean {
	const name = process.platform === "win32" ? "node.exe" : "node";
	const program = join(folder, name);
	// Most folders have none, and an error costs ten times as much as this look.
	if (!existsSync(program)) return false;
	try {
		accessSync(program, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/**
 * The search path for children.
 *
 * Relative folders would be searched in a checkout, where an agent can plant programs. What `npm run`, `npx`, `yarn`
 * and `bun` put in front has the Node.js that Sparring runs on, not the project's, and a check would find another
 * package's tools before its own. Such a folder stays only if no other one provides `node`.
 */
function childPath(path: string, providesNode: (folder: string) => boolean): string {
	const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
	const kept = folders.filter((folder) => !isPutInFront(folder));
	if (kept.some(providesNode)) return kept.join(delimiter);
	return folders.filter((folder) => !isPutInFront(folder) || providesNode(folder)).join(delimiter);
}

/**
 * The environment of a child process: an allow-list, and the variables that the workflow names. Not passed on, among
 * others: credentials, `NODE_OPTIONS`, `GIT_*`, `npm_*`, `TMPDIR`, `CI`.
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

// Set by git for its hooks, by npm for its scripts, by a shell for itself, and by Sparring for what it starts.
const OF_THE_CALL = /^(?:GIT_|npm_|SPAR_)|^(?:INIT_CWD|TMPDIR|PWD|OLDPWD|SHLVL|_)$/;

/**
 * The environment of what the user could have started: all variables of the user's shell, without those that say how
 * Sparring itself was called, such as `GIT_INDEX_FILE` in a hook.
 */
export function userEnvironment(
	source: EnvironmentSource,
	providesNode: (folder: string) => boolean = holdsNode,
): Record<string, string> {
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(source)) {
		if (value === undefined || OF_THE_CALL.test(name)) continue;
		environment[name] = name === "PATH" ? childPath(value, providesNode) : value;
	}
	return environment;
}
