import { shellWord } from "../../kernel/shell-word.ts";
import { acceptance, type ProjectFiles, type ProjectPart } from "./project-part.ts";

const VENV = ".venv";
const CREATE = `python3 -m venv ${VENV}`;
const PIP = `${VENV}/bin/python -m pip install`;

// A manager installs what its lock file names, with the tests' own, and runs programs of it.
const LOCKED: readonly (readonly [
	file: string,
	setup: (declared: DeclaredTests | undefined) => string,
	manager: string,
])[] = [
	[
		"uv.lock",
		(declared) => {
			if (declared?.kind === "extra") return `uv sync --locked --extra ${declared.name}`;
			// The group `dev` is installed anyway.
			const isOther = declared?.kind === "group" && declared.name !== "dev";
			return isOther ? `uv sync --locked --group ${declared.name}` : "uv sync --locked";
		},
		"uv",
	],
	[
		"poetry.lock",
		(declared) =>
			`POETRY_VIRTUALENVS_IN_PROJECT=true poetry install${declared?.kind === "extra" ? ` --extras ${declared.name}` : ""}`,
		"poetry",
	],
];

/**
 * A Python project: uv, poetry, tox, nox, or pip, with pytest or unittest. Its virtual environment is in the checkout.
 */
export async function pythonPart(files: ProjectFiles): Promise<ProjectPart | undefined> {
	const declared = await declaredTests(files);
	const manifest = await firstReadable(files, MANIFESTS);
	const locked = await lockedPart(files, declared, manifest !== undefined);
	if (locked !== undefined) return locked;
	if (manifest === undefined) return undefined;
	const foundBy = declared?.kind === "requirements" ? declared.name : manifest;
	const runner = declared === undefined ? await taskRunner(files) : undefined;
	if (runner !== undefined) return part(foundBy, runner);
	if (declared !== undefined || (await mentionsPytest(files))) {
		const setup = [CREATE, ...(await pipInstall(files, declared))];
		return part(foundBy, { setup, test: `${VENV}/bin/python -m pytest`, folders: [VENV] });
	}
	const unittest = await unittestCommand(files);
	if (unittest === null) return undefined;
	return part(foundBy, await unittestWith(files, unittest));
}

async function lockedPart(
	files: ProjectFiles,
	declared: DeclaredTests | undefined,
	hasManifest: boolean,
): Promise<ProjectPart | undefined> {
	// Without the manager pip does, where there is something for it to read.
	const hasPip = hasManifest && files.hasProgram("python3");
	for (const [file, setup, manager] of LOCKED) {
		const lock = await lockOf(files, file);
		if (lock === undefined || (hasPip && !files.hasProgram(manager))) continue;
		const isUnittest = !lock.includes("pytest") && !(await mentionsPytest(files));
		const unittest = isUnittest ? await unittestCommand(files) : null;
		const test = unittest === null ? "pytest" : unittest.replace(/^python3/, "python");
		return part(file, {
			setup: [setup(declared)],
			test: `${manager} run ${test}`,
			folders: [VENV],
		});
	}
	return undefined;
}

// A project of poetry's without a lock file has its `pyproject.toml` instead.
async function lockOf({ read }: ProjectFiles, file: string): Promise<string | undefined> {
	const lock = await read(file);
	if (lock !== undefined || file !== "poetry.lock") return lock;
	const toml = await read("pyproject.toml");
	return toml !== undefined && /^\[tool\.poetry\b/m.test(toml) ? toml : undefined;
}

interface Commands {
	readonly setup: readonly string[];
	readonly test: string;
	readonly folders: readonly string[];
}

const part = (foundBy: string, { setup, test, folders }: Commands): ProjectPart => ({
	name: "python",
	foundBy,
	setup,
	checks: [acceptance(test)],
	dependencies: folders,
});

// Where the tests' dependencies are only known to tox or nox. Both install the project again for each run.
async function taskRunner({ read }: ProjectFiles): Promise<Commands | undefined> {
	const [ini = "", cfg = "", toml = ""] = await Promise.all(
		["tox.ini", "setup.cfg", "pyproject.toml"].map(read),
	);
	const hasTox =
		/^\[(?:tox|testenv)\b/m.test(ini) || /^\[tox:tox\]/m.test(cfg) || /^\[tool\.tox\b/m.test(toml);
	if (hasTox) {
		// `py` is the Python at hand; all of them are rarely installed.
		const env = /^\[testenv\]/m.test(`${ini}\n${cfg}`) || ini === "" ? " -e py" : "";
		return {
			setup: [CREATE, `${PIP} tox`, `${VENV}/bin/tox${env} --notest`],
			test: `${VENV}/bin/tox${env}`,
			folders: [VENV, ".tox"],
		};
	}
	const noxfile = await read("noxfile.py");
	if (noxfile === undefined) return undefined;
	const session = /^def (tests?|unit|unit_tests?|pytest)\(/m.exec(noxfile)?.[1];
	const nox = `${VENV}/bin/nox -r${session === undefined ? "" : ` -s ${session}`} --no-error-on-missing-interpreters`;
	return {
		setup: [CREATE, `${PIP} nox`, `${nox} --install-only`],
		test: nox,
		folders: [VENV, ".nox"],
	};
}

async function pipInstall(
	{ read }: ProjectFiles,
	declared: DeclaredTests | undefined,
): Promise<string[]> {
	const project = await isInstallable(read);
	const extra = declared?.kind === "extra" ? declared.name : undefined;
	const words = [
		...(project || extra !== undefined ? [extra === undefined ? "-e ." : `-e ".[${extra}]"`] : []),
		...((await read("requirements.txt")) === undefined ? [] : ["-r requirements.txt"]),
	];
	if (declared === undefined) words.push("pytest");
	if (declared?.kind === "list") words.push(...declared.packages.map(shellWord));
	if (declared?.kind === "group") words.push(`--group ${declared.name}`);
	if (declared?.kind === "requirements" && declared.name !== "requirements.txt") {
		words.push(`-r ${declared.name}`);
	}
	// Groups are known to pip since 25.1, which is newer than what most Pythons bring.
	return [
		...(declared?.kind === "group" ? [`${PIP} --upgrade pip`] : []),
		`${PIP} ${words.join(" ")}`,
	];
}

async function isInstallable(read: ProjectFiles["read"]): Promise<boolean> {
	const toml = (await read("pyproject.toml")) ?? "";
	if (INSTALLABLE.test(toml) || (await read("setup.py")) !== undefined) return true;
	return /^\[metadata\]/m.test((await read("setup.cfg")) ?? "");
}

// A virtual environment only where something is to be installed.
async function unittestWith(files: ProjectFiles, test: string): Promise<Commands> {
	const requirements = await files.read("requirements.txt");
	const project = INSTALLABLE.test((await files.read("pyproject.toml")) ?? "");
	if (requirements === undefined && !project) return { setup: [], test, folders: [] };
	const words = [project ? "-e ." : "", requirements === undefined ? "" : "-r requirements.txt"];
	return {
		setup: [CREATE, `${PIP} ${words.filter((word) => word !== "").join(" ")}`],
		test: test.replace(/^python3/, `${VENV}/bin/python`),
		folders: [VENV],
	};
}

async function firstReadable(
	{ read }: ProjectFiles,
	names: readonly string[],
): Promise<string | undefined> {
	for (const name of names) if ((await read(name)) !== undefined) return name;
	return undefined;
}

const BY_NAME = ["pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py", "tests/conftest.py"];

async function mentionsPytest(files: ProjectFiles): Promise<boolean> {
	if ((await firstReadable(files, BY_NAME)) !== undefined) return true;
	const texts = await Promise.all(MANIFESTS.map(files.read));
	return texts.some((text) => text?.includes("pytest") === true);
}

const isTest = (name: string): boolean => /^test.*\.py$/.test(name);

// From the top Python finds tests only in packages: a folder without `__init__.py` must be named.
async function unittestCommand({ read, list }: ProjectFiles): Promise<string | null> {
	const command = "python3 -m unittest discover";
	for (const folder of ["tests", "test"]) {
		if (!(await list(folder)).some(isTest)) continue;
		const isPackage = (await read(`${folder}/__init__.py`)) !== undefined;
		return isPackage ? command : `${command} -s ${folder}`;
	}
	return (await list(".")).some(isTest) ? command : null;
}

export type DeclaredTests =
	/** `[project.optional-dependencies]`, `[options.extras_require]` or `extras_require`. */
	| { readonly kind: "extra"; readonly name: string }
	/** `[dependency-groups]` */
	| { readonly kind: "group"; readonly name: string }
	/** The dependencies of an environment of hatch. */
	| { readonly kind: "list"; readonly packages: readonly string[] }
	/** A file for `pip install -r`. */
	| { readonly kind: "requirements"; readonly name: string };

const REQUIREMENTS: readonly string[] = [
	...["dev", "test", "tests"].flatMap((word) =>
		["-", "_", "/"].map((between) => `requirements${between}${word}.txt`),
	),
	"dev-requirements.txt",
	"test-requirements.txt",
	"requirements.txt",
];

const MANIFESTS: readonly string[] = [
	"pytest.ini",
	"pyproject.toml",
	"setup.cfg",
	"tox.ini",
	...REQUIREMENTS.toReversed(),
	"setup.py",
	"noxfile.py",
];

const INSTALLABLE: RegExp = /^\[build-system\]|^dependencies *= *\[\s*["']/m;

// Those that are only for tests first.
const USUAL = ["test", "tests", "testing", "dev", "develop", "development"];

async function declaredTests({ read }: ProjectFiles): Promise<DeclaredTests | undefined> {
	const toml = (await read("pyproject.toml")) ?? "";
	const extra = best([
		...lists(section(toml, "project.optional-dependencies")),
		...lists(section(toml, "project")).map(dotted),
		...indentedLists(section((await read("setup.cfg")) ?? "", "options.extras_require")),
		...lists((await read("setup.py")) ?? "", ":"),
	]);
	if (extra !== undefined) return { kind: "extra", name: extra[0] };
	const group = best(lists(section(toml, "dependency-groups")));
	if (group !== undefined) return { kind: "group", name: group[0] };
	const hatch = ["hatch-test", "test", "default"].flatMap((name) =>
		lists(section(toml, `tool.hatch.envs.${name}`)),
	);
	const list = hatch.find(([key, packages]) => /dependencies$/.test(key) && isPytest(packages));
	if (list !== undefined) return { kind: "list", packages: list[1] };
	for (const name of REQUIREMENTS) {
		if (isPytest(((await read(name)) ?? "").split("\n"))) return { kind: "requirements", name };
	}
	return undefined;
}

type NamedPackages = readonly [name: string, packages: readonly string[]];

const isPytest = (packages: readonly string[]): boolean =>
	packages.some((one) => /^\s*pytest\b/i.test(one));

// Lists of unusual names come last.
function best(found: readonly NamedPackages[]): NamedPackages | undefined {
	const rank = (name: string): number =>
		(USUAL.indexOf(name) + USUAL.length + 1) % (USUAL.length + 1);
	return found
		.filter(([name, packages]) => isPytest(packages) && /^[\w.-]+$/.test(name))
		.sort(([one], [other]) => rank(one) - rank(other))[0];
}

const dotted = ([name, packages]: NamedPackages): NamedPackages => {
	const [, key] = /^optional-dependencies\.(.+)$/.exec(name) ?? [];
	return key === undefined ? [name, []] : [key, packages];
};

function section(text: string, name: string): string {
	const lines = text.split(/\r?\n/);
	const start = lines.findIndex((line) => line.replaceAll(/["'\s]/g, "") === `[${name}]`);
	if (start < 0) return "";
	const rest = lines.slice(start + 1);
	const end = rest.findIndex((line) => /^\[[^\]]*\]\s*(?:#.*)?$/.test(line));
	return rest.slice(0, end < 0 ? undefined : end).join("\n");
}

// `name = ["a", 'b']`, over several lines too; with `:` those of a dictionary in Python.
function lists(text: string, sign: "=" | ":" = "="): NamedPackages[] {
	const items = /"([^"\n]*)"|'([^'\n]*)'/g;
	const pattern = new RegExp(
		`(?<![\\w.-])([\\w.-]+)["']?[ \\t]*${sign}[ \\t]*\\[((?:"[^"\\n]*"|'[^'\\n]*'|#[^\\n]*|[^\\][#"'])*)\\]`,
		"g",
	);
	return [...text.matchAll(pattern)].map(([, name = "", inner = ""]) => [
		name,
		[...inner.matchAll(items)].map(([, double, single]) => double ?? single ?? ""),
	]);
}

function indentedLists(text: string): NamedPackages[] {
	const entries = text.matchAll(/^([\w.-]+)[ \t]*=(.*(?:\n[ \t]+.*|\n(?=[ \t]*\n))*)/gm);
	return [...entries].map(([, name = "", value = ""]) => [name, value.split(/[\n;]/)]);
}
