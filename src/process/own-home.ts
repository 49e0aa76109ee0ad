import {
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	rmdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { type BuildCache, copyCache, showCache } from "./build-caches.ts";
import { hiddenPlaces } from "./hidden-places.ts";
import { type Mirror, mirror } from "./mirror.ts";

function words(text: string): readonly string[] {
	return text.trim().split(/\s+/);
}

type HomeVariables = Readonly<Record<string, string>>;

type WithHome = HomeVariables & { readonly HOME: string };

// An empty one would be the current folder.
const hasHome = (env: HomeVariables): env is WithHome => (env["HOME"] ?? "") !== "";

function folders(text: string): HomeVariables {
	return Object.fromEntries(
		words(text).map((each) => [each.replace(/=.*/, ""), each.replace(/.*=/, "")]),
	);
}

/** Folders of a home by their variables, with what they are where no variable is set. */
export const FOLDERS = {
	XDG_CONFIG_HOME: ".config",
	XDG_CACHE_HOME: ".cache",
	XDG_DATA_HOME: ".local/share",
	XDG_STATE_HOME: ".local/state",
} as const;

// Toolchains, version managers, plugins: without them what the PATH names does not start. A program that has a fixed
// place needs no variable and stands here for none.
const PROGRAMS = folders(`
	ASDF_DATA_DIR=.asdf BUN_INSTALL=.bun CARGO_HOME=.cargo COMPOSER_HOME=$XDG_CONFIG_HOME/composer
	COREPACK_HOME=$XDG_CACHE_HOME/node/corepack DOCKER_CONFIG=.docker ELAN_HOME=.elan
	FNM_DIR=$XDG_DATA_HOME/fnm MISE_CONFIG_DIR=$XDG_CONFIG_HOME/mise
	MISE_DATA_DIR=$XDG_DATA_HOME/mise MIX_HOME=.mix NVM_DIR=.nvm OPAMROOT=.opam PROTO_HOME=.proto
	PYENV_ROOT=.pyenv PYTHONUSERBASE=.local RBENV_ROOT=.rbenv RUSTUP_HOME=.rustup SDKMAN_DIR=.sdkman
	STACK_ROOT=.stack UV_PYTHON_INSTALL_DIR=$XDG_DATA_HOME/uv/python
	UV_TOOL_DIR=$XDG_DATA_HOME/uv/tools VOLTA_HOME=.volta
`);

// A sandbox keeps them read-only; elsewhere a check could leave something for the next one there.
const STORES: HomeVariables = { GOPATH: "go", GOMODCACHE: "go/pkg/mod" };

// Stores that their tools never write to when they are given in this way: variable, folder, and the variable's text.
const READ_ONLY = [
	["GRADLE_RO_DEP_CACHE", ".gradle/caches", ""],
	["MAVEN_ARGS", ".m2/repository", "-Dmaven.repo.local.tail="],
] as const;

// Caches that only an installation needs, and that it checks: a setup uses the user's.
const DOWNLOADS = folders(`
	npm_config_cache=.npm PIP_CACHE_DIR=$XDG_CACHE_HOME/pip PNPM_HOME=$XDG_DATA_HOME/pnpm
	UV_CACHE_DIR=$XDG_CACHE_HOME/uv
`);

const OWN: HomeVariables = { GOCACHE: ".cache/go-build", POETRY_CACHE_DIR: ".cache/pypoetry" };

const SETTINGS = words(`
	.npmrc .yarnrc .yarnrc.yml .bunfig.toml .gemrc .condarc .bundle/config .m2/settings.xml
	.gradle/gradle.properties .pip/pip.conf $XDG_CONFIG_HOME/go/env $XDG_CONFIG_HOME/pip/pip.conf
	$XDG_CONFIG_HOME/pnpm/rc $XDG_CONFIG_HOME/pypoetry/config.toml $XDG_CONFIG_HOME/uv/uv.toml
`);

const CREDENTIALS = words(".git-credentials .netrc $XDG_CONFIG_HOME/pypoetry/auth.toml");

export interface OwnPlaces {
	// Holds what the setup left there, and nothing else; `temporary` is removed after the execution, `tmp` is empty.
	readonly home: string;
	readonly temporary: string;
	readonly tmp: string;
	// The user's home is read-only.
	readonly confines: boolean;
	readonly installs: boolean;
	// The user's home is seen in it.
	readonly shows: boolean;
	readonly caches: readonly BuildCache[];
}

// Nobody writes to the user's caches but what the user could have started as well.
const usesCaches = ({ shows, confines }: OwnPlaces): boolean => shows && !confines;

/**
 * The environment of an execution with a home and a temporary folder of its own. Programs of the user's home are still
 * found, by their variables.
 */
export function withOwnHome(env: HomeVariables, places: OwnPlaces): Record<string, string> {
	const { home, tmp, confines, shows, caches } = places;
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const own: HomeVariables = { ...FOLDERS, ...OWN };
	const dropped = { ...own, ...(confines || shows ? {} : STORES) };
	const isUsers = usesCaches(places);
	const fetched = isUsers || confines ? [] : caches.map((cache) => cache.fetched ?? {});
	return {
		...(hasHome(env) ? fromHome(env, places) : {}),
		...Object.fromEntries(Object.entries(env).filter(([name]) => !(name in dropped))),
		...Object.fromEntries(Object.entries(own).map(([name, folder]) => [name, join(home, folder)])),
		...Object.fromEntries(caches.flatMap(({ flags }) => Object.entries(flags))),
		...Object.fromEntries(fetched.flatMap((each) => Object.entries(each))),
		...Object.fromEntries(
			caches.map(({ variable, folder, own: at }) => [variable, isUsers ? folder : join(home, at)]),
		),
		...("XDG_RUNTIME_DIR" in env && !isUsers ? { XDG_RUNTIME_DIR: tmp } : {}),
		HOME: home,
		TMPDIR: tmp,
	};
}

function fromHome(env: HomeVariables, places: OwnPlaces): HomeVariables {
	const { temporary, confines, installs, shows } = places;
	const present = (given: HomeVariables) =>
		Object.entries(given).flatMap(([name, folder]) => {
			const path = inHome(env, folder);
			return existsSync(path) ? [[name, path] as const] : [];
		});
	const readOnly = READ_ONLY.flatMap(([name, folder, text]) =>
		present({ [name]: folder }).map(([, path]) => [name, `${text}${path}`] as const),
	);
	const spare = Object.keys(DOWNLOADS).map(
		(name) => [name, join(temporary, "cache", name)] as const,
	);
	const downloads = (installs || shows) && !confines ? [...spare, ...present(DOWNLOADS)] : [];
	// A file that the cache shares could be changed in the checkout.
	const links = installs ? [["UV_LINK_MODE", "copy"] as const] : [];
	const stores = confines || shows ? present(STORES) : [];
	return Object.fromEntries([...present(PROGRAMS), ...readOnly, ...stores, ...downloads, ...links]);
}

function inHome(env: HomeVariables, folder: string): string {
	const home = env["HOME"] ?? "";
	const [name, ...rest] = folder.split("/");
	const named = Object.entries(FOLDERS).find(([variable]) => name === `$${variable}`);
	if (named === undefined) return join(home, folder);
	return join(env[named[0]] ?? join(home, named[1]), ...rest);
}

/**
 * Copies the user's configuration into an own home, for one execution: nothing is written to the user's. What is
 * returned takes those copies away again that were not changed.
 */
export function lendSettings(env: HomeVariables, { home, confines }: OwnPlaces): () => void {
	const lent = new Map<string, string>();
	const lend = (file: string, content: string | null): void => {
		const path = inHome({ HOME: home }, file);
		if (content === null || existsSync(path)) return;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, content, { mode: 0o600 });
		lent.set(path, content);
	};
	if (hasHome(env)) {
		lend(".gitconfig", gitSettings(env));
		for (const file of confines ? SETTINGS : [...SETTINGS, ...CREDENTIALS]) {
			lend(file, textOf(inHome(env, file)));
		}
	}
	return () => {
		for (const [path, content] of lent) if (textOf(path) === content) removeUpward(path, home);
	};
}

const MOST_SHOWN = 400;

/** View of the user's home in an own one. */
export interface Shown {
	readonly remove: () => Promise<void>;
	/** Paths below the user's home that were written since. */
	readonly written: () => readonly string[];
}

/**
 * Shows in an own home what the user has, for one execution: the caches of builds, and all of the user's home where it is
 * to be seen. What is new there is not the user's; what leads to the user's can be written only by what the user could
 * have started as well.
 */
export async function showHome(env: HomeVariables, places: OwnPlaces): Promise<Shown> {
	const { home, shows, confines, caches } = places;
	const taken: (() => Promise<void>)[] = [];
	for (const cache of usesCaches(places) ? [] : caches) {
		const to = join(home, cache.own);
		if (confines) taken.push(linked(cache, to));
		else if (cache.fetched === null) taken.push(await copyCache(cache, to));
	}
	const ofHome = shows && hasHome(env) ? homeMirrors(env, places) : [];
	return {
		remove: async () => {
			for (const each of ofHome) each.remove();
			for (const remove of taken) await remove();
		},
		written: () => ofHome.flatMap((each) => each.written()),
	};
}

function linked(cache: BuildCache, to: string): () => Promise<void> {
	const shown = showCache(cache, to);
	return async () => shown.remove();
}

function homeMirrors(env: WithHome, { home, confines }: OwnPlaces): readonly Mirror[] {
	const above = new Set(foldersAbove(realPathOf(home)).map(identityOf));
	const whole = new Set(
		Object.values({ ...PROGRAMS, ...DOWNLOADS }).flatMap((folder) =>
			folder === ".local" ? [] : [inHome(env, folder)],
		),
	);
	const open = Object.values(FOLDERS).flatMap((folder) => [folder, dirname(folder)]);
	const hidden = new Set(confines ? hiddenPlaces(env.HOME) : []);
	const shown = (from: string, to: string): Mirror =>
		mirror({
			from,
			to: join(home, to),
			limit: MOST_SHOWN,
			treat: (path) => {
				const below = join(to, path);
				if (hidden.has(join(from, path))) return "leave";
				if (whole.has(join(from, path)) || !/^(?:\.|Library(?:\/|$))/.test(below)) return "link";
				const isAbove = above.has(identityOf(join(from, path)));
				return isAbove && !open.includes(below) ? "leave" : "default";
			},
		});
	const elsewhere = Object.entries(FOLDERS).flatMap(([name, folder]) => {
		const named = env[name];
		return named === undefined || named === join(env.HOME, folder) ? [] : [shown(named, folder)];
	});
	return [...elsewhere, shown(env.HOME, "")];
}

const foldersAbove = (path: string): string[] =>
	path === dirname(path) ? [path] : [path, ...foldersAbove(dirname(path))];

const identityOf = (path: string): string => {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
};

const realPathOf = (path: string): string => attempt(() => realpathSync(path), path);

// Null for what is no regular file or cannot be read.
const textOf = (path: string): string | null =>
	attempt(() => (statSync(path).isFile() ? readFileSync(path, "utf8") : null), null);

function removeUpward(path: string, home: string): void {
	try {
		rmSync(path);
		for (let folder = dirname(path); folder !== home; folder = dirname(folder)) rmdirSync(folder);
	} catch {
		// Something else is in the folder.
	}
}

function gitSettings(env: HomeVariables): string | null {
	const files = ["$XDG_CONFIG_HOME/git/config", ".gitconfig"].map((file) => inHome(env, file));
	if (!files.some((path) => existsSync(path))) return null;
	const lines = files.map((path) => `[include]\n\tpath = ${JSON.stringify(path)}\n`);
	return `${lines.join("")}[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false\n`;
}
