import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants, homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeIsNewEnough } from "./node-version.ts";

// Loaded by a Node.js that is too old for everything else: only modules and syntax that Node.js 20 knows.

// The user's own program goes on in all of it.
const { env } = process;

interface OwnNode {
	readonly program: string;
	readonly version: string | null;
	readonly folder: string;
	/** The arguments for npm that install it. */
	readonly install: readonly string[];
}

function versionIn(file: string): string {
	// True because npm, or we, wrote these files.
	const content = JSON.parse(readFileSync(file, "utf8")) as {
		version: string;
		devDependencies?: { node: string };
	};
	return content.devDependencies?.node ?? content.version;
}

/** Under the user's data, so that an update of sparring finds it again. */
function ownNode(): OwnNode {
	const dataHome = env["XDG_DATA_HOME"] || join(homedir(), ".local", "share");
	const folder = join(dataHome, "sparring", "node");
	const kind = `${process.platform}-${process.arch}`;
	// Without the script that the package `node` runs when it is installed, which not every npm allows.
	const name = `${kind === "darwin-arm64" ? "node-bin" : "node"}-${kind}`;
	const modules = join(folder, "node_modules");
	const program = join(modules, ".bin", "node");
	const wanted = versionIn(join(import.meta.dirname, "../../package.json"));
	return {
		program,
		folder,
		version: existsSync(program) ? versionIn(join(modules, name, "package.json")) : null,
		install: ["install", "--prefix", folder, `${name}@${wanted}`],
	};
}

const NEWER = "a newer Node.js: nvm install 24, fnm install 24 or volta install node@24";

function ask(question: string): Promise<boolean> {
	return new Promise((resolve) => {
		const lines = createInterface({ input: process.stdin, output: process.stderr });
		lines.once("close", () => resolve(false));
		lines.question(question, (answer) => {
			resolve(/^(?:y|yes|)$/i.test(answer.trim()));
			lines.close();
		});
	});
}

async function mayInstall({ install }: OwnNode): Promise<boolean> {
	const command = `npm ${install.join(" ")}`;
	process.stderr.write(
		`This is Node.js ${process.versions.node} (${process.execPath}), and spar needs 24.11 or newer.\n` +
			"spar can have a Node.js of its own, which changes nothing for other programs (about 190 MB):\n" +
			`  ${command}\n`,
	);
	if (process.stdin.isTTY && process.stderr.isTTY && (await ask("Install it now? [Y/n] ")))
		return true;
	process.stderr.write(`Run that command, then spar again; or install sparring with ${NEWER}.\n`);
	return false;
}

function installNode({ install, program, folder }: OwnNode): boolean {
	const args = [...install, "--no-audit", "--no-fund", "--loglevel=error"];
	const { error, status } = spawnSync("npm", args, { stdio: ["ignore", 2, 2], env });
	const isInstalled = status === 0;
	if (isInstalled && spawnSync(program, ["--version"], { env }).status === 0) return true;
	// What does not run must not be found at the next start.
	if (isInstalled) rmSync(folder, { recursive: true, force: true });
	const failed = error?.message ?? `npm ended with ${status}`;
	const why = isInstalled ? `the one from npm does not run on this machine` : failed;
	process.stderr.write(
		`spar has no Node.js of its own: ${why}.\nInstall sparring with ${NEWER}.\n`,
	);
	return false;
}

/** A terminal sends Ctrl-C to the child as well: handing it on would be a second one. */
const comesFromTerminal = (signal: NodeJS.Signals): boolean =>
	signal !== "SIGTERM" && (process.stdin.isTTY || process.stderr.isTTY);

/** Ends as the program ends that it starts. */
function startAgain(program: string): void {
	const child = spawn(program, process.argv.slice(1), { stdio: "inherit", env });
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	for (const signal of signals)
		process.on(signal, () => comesFromTerminal(signal) || child.kill(signal));
	child.once("error", ({ message }) => {
		process.stderr.write(`spar cannot start ${program}: ${message}\n`);
		process.exitCode = 2;
	});
	child.once("close", (code, signal) => {
		for (const each of signals) process.removeAllListeners(each);
		process.exitCode = signal === null ? (code ?? 2) : 128 + constants.signals[signal];
		if (signal !== null) process.kill(process.pid, signal);
	});
}

/** Starts this program again on a Node.js of its own, which it installs first if somebody at the terminal agrees. */
export async function startOnOwnNode(): Promise<void> {
	const own = ownNode();
	const isThere = own.version !== null && nodeIsNewEnough(own.version);
	if (isThere || ((await mayInstall(own)) && installNode(own))) startAgain(own.program);
	else process.exitCode = 2;
}
