import { basename } from "node:path";
import { isManifest, wordsOf } from "../setup-key.ts";

const INSTALLS =
	/^(?:cd [\w./-]+|corepack enable(?: \w+)?|(?:npm (?:ci|i|install)|(?:pnpm|bun) (?:i|install)|yarn(?: install)?|bundle install)(?: --?[\w-]+(?:=[\w.:/@-]+)?)*)$/;

const FLAGS =
	"-q|-U|--(?:quiet|upgrade|locked|frozen|no-input|no-index|no-cache-dir|no-build-isolation|disable-pip-version-check|no-interaction|all-extras|all-groups|system-site-packages)";
const PACKAGE = String.raw`[A-Za-z][\w.-]*(?:\[[\w,-]+\])?(?:==[\w.]+)?|(["'])[A-Za-z][\w.,=<>!~[\] *-]*\1`;
// A folder is installed as a link alone (`-e`), so that it shows its sources as they are.
const LINK = String.raw`-e (?:\.|(["'])\.\[[\w,-]+\]\2)`;
const PYTHON = new RegExp(
	String.raw`^(?:python3? -m venv|(?:POETRY_VIRTUALENVS_IN_PROJECT=true )?(?:poetry install|uv sync|uv venv)|(?:uv |(?:[\w.-]+/bin/)?(?:python3? -m )?)pip install)(?: (?:${FLAGS}|--(?:extra|extras|group) [\w-]+|-[rc] [\w./-]+|${PACKAGE}|${LINK}|\.venv|venv))*$`,
);

/** Build backends that compile nothing. */
const PLAIN_BACKEND =
	/^build-backend\s*=\s*["'](?:setuptools\.build_meta|hatchling\.build|flit_core\.buildapi|poetry\.core\.masonry\.api|pdm\.backend)["']/m;

const HOOKS: ReadonlySet<string> = new Set(
	["install", "prepare", "prepublish"].flatMap((name) => [name, `pre${name}`, `post${name}`]),
);

/** True for commands that make a virtual environment. It holds its place, so it is made where it is used. */
export const makesEnvironment = (commands: readonly string[]): boolean =>
	commands.some((command) => MAKES_ENVIRONMENT.test(command));

// Short on purpose: for another one the result shows it, at the price of one installation.
const MAKES_ENVIRONMENT =
	/\b(?:venv|virtualenv|uv sync|poetry install|pdm (?:install|sync)|pipenv)\b/;

/** True for files whose content {@link readsOnlyInputs} needs. */
export const saysHowToInstall = (path: string): boolean =>
	/^(?:package\.json|\.npmrc|pnpm-workspace\.yaml|pyproject\.toml|setup\.(?:py|cfg))$/.test(
		basename(path),
	) ||
	(path.endsWith(".txt") && isManifest(path));

/**
 * True where what a setup leaves depends on manifests and lock files alone, as far as can be told: each command is a
 * plain installation, no package of the project runs a script when it is installed, and none is copied from a folder
 * of the project.
 *
 * @param files those of the commit that `saysHowToInstall` names
 * @example `readsOnlyInputs(["npm ci"], [])` is true, `readsOnlyInputs(["npm ci", "npx prisma generate"], [])` is
 * false
 */
export function readsOnlyInputs(
	commands: readonly string[],
	files: readonly { readonly path: string; readonly text: string }[],
): boolean {
	const steps = commands.flatMap((command) => command.split(/&&|[;\n]/)).map((step) => step.trim());
	if (!steps.every((step) => step === "" || INSTALLS.test(step) || PYTHON.test(step))) return false;
	const words = wordsOf(commands);
	const isNpm = !["pnpm", "yarn", "bun"].some((manager) => words.has(manager));
	const copiesFolders = !isNpm || commands.some((command) => command.includes("install-links"));
	return files.every(({ path, text }) => {
		if (/\.(?:toml|py|cfg|txt)$/.test(path)) return installsPlainly(path, text);
		// A link to a folder shows the folder as it is; npm makes links, the others copy.
		if (basename(path) !== "package.json") return !/install-links|inject/i.test(text);
		if (copiesFolders && text.includes('"file:')) return false;
		return words.has("--ignore-scripts") || !hasHooks(text);
	});
}

/** Manifests that read the metadata of a package from other files, or build more than metadata. */
const READS_MORE =
	/\bpath\s*=|\b(?:file|attr)\s*[:=]|hooks|^script\s*=|\b(?:open|exec|eval|read\w*|find_packages\w*)\s*\(|^\s*(?:import|from) (?!setuptools\b|distutils\b)|(?:ext_modules|cffi_modules|cmdclass|_extensions?)\b/m;

function installsPlainly(path: string, text: string): boolean {
	if (path.endsWith(".txt"))
		return text.split("\n").every((line) => isPlainRequirement(line.trim()));
	if (READS_MORE.test(text)) return false;
	return !path.endsWith(".toml") || !text.includes("build-backend") || PLAIN_BACKEND.test(text);
}

// Nothing of a folder, and of no file that is no input.
function isPlainRequirement(line: string): boolean {
	const [, file] = /^-[rc]\s*(\S+)$/.exec(line) ?? [];
	if (file !== undefined) return isManifest(file);
	return line === "" || line.startsWith("#") || /^[A-Za-z][^/:@\\]*(?:#.*)?$/.test(line);
}

function hasHooks(text: string): boolean {
	try {
		const parsed: unknown = JSON.parse(text);
		const scripts: unknown = Reflect.get(Object(parsed), "scripts");
		if (typeof scripts !== "object" || scripts === null) return false;
		return Object.keys(scripts).some((name) => HOOKS.has(name));
	} catch {
		return true;
	}
}
