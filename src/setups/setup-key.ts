import picomatch from "picomatch";
import { pathMatcher } from "../evidence/path-match.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";

/** Files that declare or lock dependencies, at any depth. `setup` runs again when one of them changes. */
const KNOWN_MANIFESTS: readonly string[] = [
	"package.json package-lock.json npm-shrinkwrap.json .npmrc yarn.lock .yarnrc.yml",
	"pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb deno.json deno.jsonc deno.lock",
	"*requirements*.txt *requirements*.lock requirements/*.txt constraints*.txt pyproject.toml setup.py setup.cfg environment.yml",
	"poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock",
	"go.mod go.sum go.work go.work.sum Cargo.toml Cargo.lock rust-toolchain rust-toolchain.toml",
	"Gemfile Gemfile.lock *.gemspec composer.json composer.lock",
	"pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.lockfile",
	"libs.versions.toml *.csproj *.fsproj packages.lock.json Directory.Packages.props",
	"mix.exs mix.lock Package.swift Package.resolved pubspec.yaml pubspec.lock",
	".nvmrc .node-version .python-version .ruby-version .tool-versions",
].flatMap((names) => names.split(" ").map((name) => `**/${name}`));

const RECIPES: Readonly<Record<string, readonly string[]>> = {
	make: ["Makefile", "makefile", "GNUmakefile"],
	just: ["justfile", "Justfile", ".justfile"],
	task: ["Taskfile.yml", "Taskfile.yaml"],
};

export function wordsOf(commands: readonly string[]): ReadonlySet<string> {
	const words = commands.flatMap((command) => command.split(/[\s"'`=;&|()<>]+/));
	return new Set(words.map((word) => word.replace(/^(?:\.\/)+/, "")).filter((word) => word !== ""));
}

/** True where the file declares or locks dependencies. */
export const isManifest: (path: string) => boolean = picomatch([...KNOWN_MANIFESTS], { dot: true });

// From whatever folder.
function namedBy(commands: readonly string[]): (path: string) => boolean {
	const words = wordsOf(commands);
	const recipes = Object.entries(RECIPES).flatMap(([program, names]) =>
		words.has(program) ? names : [],
	);
	const names = new Set([...words, ...recipes]);
	return (path) => {
		const parts = path.split("/");
		return parts.some((_part, index) => names.has(parts.slice(index).join("/")));
	};
}

/**
 * Hash of what a checkout's setup depends on: the commands and the files that match the globs. While it stays the same,
 * the setup need not run again.
 *
 * @param globs `setup_inputs`; empty: the known manifests and lock files at any depth, and files that the commands name
 * @returns 64 hexadecimal digits; the order of the files does not matter
 */
export function setupKey(
	commands: readonly string[],
	files: readonly { readonly path: string; readonly oid: string }[],
	globs: readonly string[],
): string {
	const named = namedBy(commands);
	const matches =
		globs.length === 0 ? (path: string) => isManifest(path) || named(path) : pathMatcher(globs);
	const inputs = files
		.filter((file) => matches(file.path))
		.map(({ path: name, oid }) => [name, oid])
		.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
	return sha256(canonicalJson({ commands, inputs }));
}
