import { basename } from "node:path";
import { wordsOf } from "../setup-key.ts";

const INSTALLS =
	/^(?:cd [\w./-]+|corepack enable(?: \w+)?|(?:npm (?:ci|i|install)|(?:pnpm|bun) (?:i|install)|yarn(?: install)?|bundle install)(?: --?[\w-]+(?:=[\w.:/@-]+)?)*)$/;

// A folder is installed as a link alone (`-e`), so that it shows its sources as they are.
const PACKAGES =
	/^(?:python3? -m venv [\w./-]+|(?:POETRY_VIRTUALENVS_IN_PROJECT=true )?(?:poetry install|uv sync|uv venv|(?:uv |(?:[\w.-]+\/bin\/)?(?:python3? -m )?)pip install)(?: (?:-e (?:\.|(["'])\.\[[\w,-]+\]\1)|-[rc] [\w./-]+|--(?:extra|extras|group) [\w-]+|--?[\w-]+(?:=[\w.:/@-]+)?|(["'])\w[\w.,=<>!~[\] *-]*\2|[A-Za-z][\w.-]*(?:\[[\w,-]+\])?(?:==[\w.]+)?))*)$/;

/** Build backends that compile nothing. */
const PLAIN_BACKEND =
	/^build-backend\s*=\s*["'](?:setuptools\.build_meta|hatchling\.build|flit_core\.buildapi|poetry\.core\.masonry\.api|pdm\.backend)["']/m;

const HOOKS: ReadonlySet<string> = new Set(
	["install", "prepare", "prepublish"].flatMap((name) => [name, `pre${name}`, `post${name}`]),
);

/** True for files whose content {@link readsOnlyInputs} needs. */
export const saysHowToInstall = (path: string): boolean =>
	/^(?:package\.json|\.npmrc|pnpm-workspace\.yaml|pyproject\.toml|setup\.py|.*requirements.*\.txt)$/.test(
		basename(path),
	);

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
	if (!steps.every((step) => step === "" || INSTALLS.test(step) || PACKAGES.test(step)))
		return false;
	const words = wordsOf(commands);
	const isNpm = !["pnpm", "yarn", "bun"].some((manager) => words.has(manager));
	const copiesFolders = !isNpm || commands.some((command) => command.includes("install-links"));
	return files.every(({ path, text }) => {
		if (/\.(?:toml|py|txt)$/.test(path)) return installsPlainly(path, text);
		// A link to a folder shows the folder as it is; npm makes links, the others copy.
		if (basename(path) !== "package.json") return !/install-links|inject/i.test(text);
		if (copiesFolders && text.includes('"file:')) return false;
		return words.has("--ignore-scripts") || !hasHooks(text);
	});
}

function installsPlainly(path: string, text: string): boolean {
	if (path.endsWith(".txt")) return !/^\s*(?:-e\b|--editable\b|\.|\/)|file:/m.test(text);
	if (path.endsWith(".py")) return !/ext_modules|cffi_modules|cmdclass|_extensions?\b/.test(text);
	return !/\bpath\s*=/.test(text) && (!text.includes("build-backend") || PLAIN_BACKEND.test(text));
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
