import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string>>;

/** Folders of a home by their variables, with what they are where no variable is set. */
const FOLDERS = {
	XDG_CONFIG_HOME: ".config",
	XDG_CACHE_HOME: ".cache",
	XDG_DATA_HOME: ".local/share",
	XDG_STATE_HOME: ".local/state",
} as const;

/**
 * Folders of the user's home that hold programs: toolchains, version managers, plugins. Without them what the PATH names
 * does not start. A program that has a fixed place needs no variable and stands here for none.
 */
const PROGRAMS: Environment = {
	ASDF_DATA_DIR: ".asdf",
	BUN_INSTALL: ".bun",
	CARGO_HOME: ".cargo",
	COMPOSER_HOME: "$XDG_CONFIG_HOME/composer",
	COREPACK_HOME: "$XDG_CACHE_HOME/node/corepack",
	DOCKER_CONFIG: ".docker",
	DOTNET_ROOT: ".dotnet",
	ELAN_HOME: ".elan",
	FNM_DIR: "$XDG_DATA_HOME/fnm",
	MISE_CONFIG_DIR: "$XDG_CONFIG_HOME/mise",
	MISE_DATA_DIR: "$XDG_DATA_HOME/mise",
	MIX_HOME: ".mix",
	NVM_DIR: ".nvm",
	OPAMROOT: ".opam",
	PROTO_HOME: ".proto",
	PYENV_ROOT: ".pyenv",
	PYTHONUSERBASE: ".local",
	RBENV_ROOT: ".rbenv",
	RUSTUP_HOME: ".rustup",
	SDKMAN_DIR: ".sdkman",
	STACK_ROOT: ".stack",
	UV_PYTHON_INSTALL_DIR: "$XDG_DATA_HOME/uv/python",
	UV_TOOL_DIR: "$XDG_DATA_HOME/uv/tools",
	VOLTA_HOME: ".volta",
};

/** Stores of packages. A sandbox keeps them read-only; elsewhere a check could leave something for the next one there. */
const STORES: Environment = { GOPATH: "go", GOMODCACHE: "go/pkg/mod" };

/** Stores that their tools never write to when they are given in this way: variable, folder, and the variable's text. */
const READ_ONLY = [
	["GRADLE_RO_DEP_CACHE", ".gradle/caches", ""],
	["MAVEN_ARGS", ".m2/repository", "-Dmaven.repo.local.tail="],
] as const;

/** Caches of downloads that only an installation needs, and that it checks: a setup uses the user's. */
const DOWNLOADS: Environment = {
	npm_config_cache: ".npm",
	PIP_CACHE_DIR: "$XDG_CACHE_HOME/pip",
	PNPM_HOME: "$XDG_DATA_HOME/pnpm",
	UV_CACHE_DIR: "$XDG_CACHE_HOME/uv",
};

/** Caches that a setup may fill for the checks, wherever the sandbox or the user's environment would put them. */
const OWN: Environment = {
	GOCACHE: ".cache/go-build",
	POETRY_CACHE_DIR: ".cache/pypoetry",
};

/** Files that say where packages come from, of which a program gets a copy. */
const SETTINGS = [
	["NPM_CONFIG_USERCONFIG", ".npmrc", "npmrc"],
	["PIP_CONFIG_FILE", "$XDG_CONFIG_HOME/pip/pip.conf", "pip.conf"],
	["PIP_CONFIG_FILE", ".pip/pip.conf", "pip.conf"],
] as const;

/** Where an execution has its own. Absolute paths. */
export interface OwnPlaces {
	/** Holds what the setup left there, and nothing else. */
	readonly home: string;
	/** Removed after the execution. */
	readonly temporary: string;
	/** For its temporary files: empty. */
	readonly tmp: string;
	/** Whether the user's home is read-only. */
	readonly confines: boolean;
	/** Whether a setup runs there. */
	readonly installs: boolean;
}

/**
 * The environment of an execution with a home and a temporary folder of its own. Programs of the user's home are still
 * found, by their variables; git and package managers get copies of the user's configuration, so that nothing is
 * written there.
 *
 * @throws system errors when the folders cannot be written
 */
export function withOwnHome(env: Environment, places: OwnPlaces): Record<string, string> {
	const { home, temporary, tmp, confines } = places;
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const own: Environment = { ...FOLDERS, ...OWN };
	const dropped = { ...own, ...(confines ? {} : STORES) };
	return {
		...(env["HOME"] === undefined ? {} : { ...fromHome(env, places), ...settings(env, temporary) }),
		...Object.fromEntries(Object.entries(env).filter(([name]) => !(name in dropped))),
		...Object.fromEntries(Object.entries(own).map(([name, folder]) => [name, join(home, folder)])),
		...("XDG_RUNTIME_DIR" in env ? { XDG_RUNTIME_DIR: tmp } : {}),
		HOME: home,
		TMPDIR: tmp,
	};
}

/** Variables for what the user's home has; those that the user set win. */
function fromHome(env: Environment, { temporary, confines, installs }: OwnPlaces): Environment {
	const present = (folders: Environment) =>
		Object.entries(folders).flatMap(([name, folder]) => {
			const path = inHome(env, folder);
			return existsSync(path) ? [[name, path] as const] : [];
		});
	const readOnly = READ_ONLY.flatMap(([name, folder, text]) =>
		present({ [name]: folder }).map(([, path]) => [name, `${text}${path}`] as const),
	);
	const spare = Object.keys(DOWNLOADS).map(
		(name) => [name, join(temporary, "cache", name)] as const,
	);
	const downloads = installs && !confines ? [...spare, ...present(DOWNLOADS)] : [];
	const stores = confines ? present(STORES) : [];
	return Object.fromEntries([...present(PROGRAMS), ...readOnly, ...stores, ...downloads]);
}

/** A folder of the user's home, with the user's own places of configuration, caches and data. */
function inHome(env: Environment, folder: string): string {
	const home = env["HOME"] ?? "";
	const [name, ...rest] = folder.split("/");
	const named = Object.entries(FOLDERS).find(([variable]) => name === `$${variable}`);
	if (named === undefined) return join(home, folder);
	return join(env[named[0]] ?? join(home, named[1]), ...rest);
}

/** Copies of the user's configuration, with the variables that name them. */
function settings(env: Environment, temporary: string): Environment {
	const named: Record<string, string> = {};
	for (const [name, file, copy] of SETTINGS) {
		const path = inHome(env, file);
		if (!existsSync(path)) continue;
		named[name] = join(temporary, copy);
		copyFileSync(path, join(temporary, copy));
	}
	const git = ["$XDG_CONFIG_HOME/git/config", ".gitconfig"].map((file) => inHome(env, file));
	if (!git.some((path) => existsSync(path))) return named;
	const file = join(temporary, "gitconfig");
	const lines = git.map((path) => `[include]\n\tpath = ${JSON.stringify(path)}\n`);
	// The keys are in the user's home; nobody needs the signature of a test's commit.
	writeFileSync(file, `${lines.join("")}[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false\n`);
	return { ...named, GIT_CONFIG_GLOBAL: file };
}
