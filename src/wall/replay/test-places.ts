import { isTestFile } from "../../evidence/test-files.ts";
import { isRunnerConfig } from "../integrity/runner-config.ts";

/** Directories whose files are tests, their helpers or their data, whatever their extension. */
const PLACES =
	/(?:^|\/)(?:__(?:tests|mocks|fixtures|snapshots|data)__|tests?|specs?|e2e|testing|fixtures?|testdata|(?:integration|unit)[-_]?tests?|tests?[-_](?:data|utils?|helpers?|support|fixtures?|lib))\//i;

/** Files that runners write or read beside tests. */
const BESIDE =
	/\.(?:snap|approved|received|golden|expected)(?:\.\w+)?$|(?:^|\/)(?:conftest\.py|\.env\.test[\w.]*)$/i;

/** Configuration of tools that runners load, also where they are not named for it. */
const CONFIGURED =
	/(?:^|\/)(?:[\w-]+\.config\.(?:[cm]?[jt]s|json)|\.[\w-]+rc(?:\.\w+)?)$|\.(?:egg|dist)-info\/|\.pth$/;

/** Whether a file is a test, a helper or data of tests by its name or place alone. */
export function isAmongTests(path: string): boolean {
	return isTestFile(path) || PLACES.test(path) || BESIDE.test(path);
}

/** Whether a file is on the tests' side by its name or place alone: test, helper, data or configuration of a runner. */
export function isTestByName(path: string): boolean {
	return isAmongTests(path) || isRunnerConfig(path) || CONFIGURED.test(path);
}

const CODE =
	/\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|go|rs|rb|java|kts?|scala|groovy|cs|fs|php|swift|exs?|dart|clj|c|cc|cpp|h|hpp|hs|lua|r|jl|pl|bats|erl|zig|nim|mli?|cxx|hxx|clj[cs])$/i;

const SHELL = /\.(?:sh|bash|zsh|ksh)$/i;

/** Whether a file is source code by its extension. */
export function isCode(path: string): boolean {
	return CODE.test(path) || isShell(path);
}

/** Whether a file is a shell script by its extension. */
export function isShell(path: string): boolean {
	return SHELL.test(path);
}

/** Files that a product shows or ships; a test that reads one looks at the product. */
const SHOWN =
	/\.(?:html?|css|s[ac]ss|less|svg|png|jpe?g|gif|webp|ico|woff2?|wasm)$|(?:^|\/)(?:Dockerfile|LICENSE|README[\w.]*|CHANGELOG[\w.]*)$/i;

/** Whether a file can be data of tests: no code, no declaration of dependencies, nothing that a product shows. */
export function canBeData(path: string): boolean {
	return !isCode(path) && !SHOWN.test(path);
}
