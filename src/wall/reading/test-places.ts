import { isTestFile } from "../../evidence/test-files.ts";

const PLACES =
	/(?:^|\/)(?:__(?:tests|mocks|fixtures|snapshots|data)__|tests?|specs?|e2e|testing|fixtures?|testdata|(?:integration|unit)[-_]?tests?|tests?[-_](?:data|utils?|helpers?|support|fixtures?|lib))\//i;

const BESIDE =
	/\.(?:snap|approved|received|golden|expected)(?:\.\w+)?$|(?:^|\/)(?:conftest\.py|\.env\.test[\w.]*)$/i;

/** Names by which runners and interpreters load files, also in folders of the product. */
const LOADED =
	/(?:^|\/)(?:[\w.-]+\.(?:config|workspace|conf)\.(?:[cm]?[jt]s|json|ya?ml)|\.[\w-]+rc(?:\.\w+)?|(?:jest|vitest)[.-](?:global-?)?(?:setup|teardown)(?:[.-]\w+)*\.[cm]?[jt]sx?|setupTests\.[cm]?[jt]sx?|(?:site|user)customize\.py|tox\.ini|pytest\.(?:ini|toml)|setup\.cfg|mocha\.opts|[\w.-]*\.runsettings)$|\.(?:egg|dist)-info\/|\.pth$/i;

/** Tells whether a file is a test, a helper or data of tests by its name or place alone. */
export function isAmongTests(path: string): boolean {
	return isTestFile(path) || PLACES.test(path) || BESIDE.test(path);
}

const LINTS =
	/(?:^|\/)(?:\.(?:editorconfig|clang-format|flake8|rubocop\.ya?ml|golangci\.(?:ya?ml|toml))|\.?ruff\.toml|\.?mypy\.ini|pyrightconfig\.json|biome\.jsonc?|\.(?:prettier|eslint|oxlint|stylelint|markdownlint|commitlint|pylint)(?:rc(?:\.\w+)?|ignore)|(?:prettier|eslint|oxlint|stylelint|commitlint)\.config\.\w+)$/;

/** Tells whether a file says how files are to be written: only a linter or a formatter reads it. */
export function isLintSettings(path: string): boolean {
	return LINTS.test(path);
}

export function isTestByName(path: string): boolean {
	return isAmongTests(path) || isLoadedByName(path);
}

/** Tells whether runners and interpreters load a file by its name. */
export function isLoadedByName(path: string): boolean {
	return LOADED.test(path) && !LINTS.test(path);
}

const CODE =
	/\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|go|rs|rb|java|kts?|scala|groovy|cs|fs|php|swift|exs?|dart|clj|c|cc|cpp|h|hpp|hs|lua|r|jl|pl|bats|erl|zig|nim|mli?|cxx|hxx|clj[cs])$/i;

const SHELL = /\.(?:sh|bash|zsh|ksh)$/i;

/** Tells whether a file is source code by its extension. */
export function isCode(path: string): boolean {
	return CODE.test(path) || isShell(path);
}

export function isShell(path: string): boolean {
	return SHELL.test(path);
}

/** Tells whether additions to tests in a language are judged by their structure, and not by their signs alone. */
export function isReadWell(path: string): boolean {
	return /\.(?:[cm]?[jt]sx?|py|sh|bash)$/i.test(path);
}

const SHOWN =
	/\.(?:html?|css|s[ac]ss|less|svg|png|jpe?g|gif|webp|ico|woff2?|wasm)$|(?:^|\/)(?:Dockerfile|LICENSE|README[\w.]*|CHANGELOG[\w.]*)$/i;

/** Tells whether a file is what a product shows, such as a style sheet. */
export function isAsset(path: string): boolean {
	return SHOWN.test(path);
}
