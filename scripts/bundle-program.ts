import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { movedAnywhere } from "../src/cli/written-help.ts";
import { noticesOf, packageAt } from "./notices.ts";
import { type Part, partGroups } from "./part-groups.ts";

/**
 * Writes the program of a built package, by default into `dist/cli/`: `spar`, what it starts by its path, and the packages
 * that it uses, in few files. A run loads some 1,400 modules, each of which costs a third of a millisecond as a file of
 * its own.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(process.argv[2] ?? join(root, "dist"), "cli");

/** The program, and the processes that it starts: they are looked for beside the file that starts them. */
const ENTRIES = {
	main: "src/cli/main.ts",
	"watchdog-process": "src/process/watchdog-process.ts",
	"runtime-process": "src/process/sandbox/runtime-process.ts",
};

/**
 * What is loaded together becomes one file: a part holds all that its modules import, but for what an earlier part holds.
 * What is in none of them is cut by who imports it. Opening and linking a file costs more than its code.
 */
const PARTS: readonly Part[] = [
	["help", ["cli/written-help"]],
	["start", ["cli/run-cli"]],
	[
		"read",
		[
			"cli/commands/status",
			"places/secrets",
			"places/mask-printed",
			"library/open-sparring",
			"library/present-report",
			"places/store",
			"store/sqlite/records",
			"view/turn-obstacles",
			"loop/records/turn-verification",
			"checks/uncounted",
			"setups/kept/shelf",
		],
	],
	["git", ["git/run-git"]],
	["workflow", ["places/load-source"]],
	[
		"run",
		[
			"cli/commands/run",
			"drive/drive-run",
			"drive/start-run",
			"drive/cancel-run",
			"drive/seats-preflight",
			"seats/with-host",
			"landing/prune-runs",
			"places/checkouts-home",
			"store/queries/checkpointer",
			"agents/command/command-agent",
		],
	],
];

/**
 * Packages that are found at run time: those that a user may install, and those of several machines, which are loaded
 * where machines share a store and look for files of their own.
 */
const apart = [
	...Object.keys(packageAt(root).peerDependencies ?? {}),
	...["pg", "pg-boss", "@nats-io"],
];
const isApart = (id: string): boolean =>
	apart.some((name) => id === name || id.startsWith(`${name}/`));

const CHILD_PROCESS = "import childProcess from 'node:child_process';";

/** commander loads what starts programs, which is a tenth of the time that Node.js takes to start, and starts none here. */
const withoutChildProcess: Plugin = {
	name: "without-child-process",
	transform: {
		filter: { id: /commander[\\/]lib[\\/]command\.js$/ },
		handler: (code) => {
			if (!code.includes(CHILD_PROCESS))
				throw new Error("commander starts programs in another way");
			return code.replace(
				CHILD_PROCESS,
				"const childProcess = { spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) };",
			);
		},
	},
};

const bundle = await rolldown({
	plugins: [withoutChildProcess],
	cwd: root,
	input: ENTRIES,
	platform: "node",
	external: (id) => id.startsWith("node:") || isApart(id),
	// A module for browsers and loaders of its own, as `main` often is, cannot be taken apart.
	resolve: { mainFields: ["module", "main"] },
	// What cannot be said in this format would be replaced by something empty.
	onLog: (level, { message }) => {
		if (level === "warn") throw new Error(message);
	},
	// What a part holds may be imported late elsewhere.
	checks: { ineffectiveDynamicImport: false },
});
// One folder: a file finds what it starts or reads beside itself, as it does in the source.
const { output } = await bundle.write({
	dir: folder,
	chunkFileNames: "[name]-[hash].js",
	codeSplitting: { groups: partGroups(join(root, "src"), PARTS) },
	// Node opens and links these sooner than modules. Optional packages are still imported: they may be modules only.
	format: "cjs",
	dynamicImportInCjs: true,
	// One character beyond Latin-1 doubles the memory of a whole file, and the time to read it.
	minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
	comments: false,
	minifyInternalExports: false,
});
writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
await bundle.close();
const chunks = output.filter((part) => part.type === "chunk");
writeFileSync(
	join(dirname(folder), "third-party-notices.txt"),
	noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
);
const source = join(root, "src/cli/main.ts");
const help = execFileSync(process.execPath, [source, "--help"], { encoding: "utf8" });
writeFileSync(join(folder, "help.txt"), movedAnywhere(help, root));
