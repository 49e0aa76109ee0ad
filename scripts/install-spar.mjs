// Puts `spar` on the PATH, as a script that starts the built program of this checkout on its own Node.js:
//
//   node scripts/install-spar.mjs            needs node_modules and dist, so: npm run install-spar
//   node scripts/install-spar.mjs --remove   or: npm run uninstall-spar
//
// Plain JavaScript for Node.js 20 and later, so that taking it away installs nothing first.
import {
	accessSync,
	chmodSync,
	constants,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = join(ROOT, "dist", "cli", "main.js");
const MARK =
	"# Written by `npm run install-spar` of Sparring; `npm run uninstall-spar` takes it away.";

/** Where spar keeps what belongs to no repository's folder, as src/places has it. */
const STATE =
	process.env["SPAR_CHECKOUTS"] ||
	join(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "sparring");

/** A failure whose message is all that the reader needs: no stack is printed. */
class Refusal extends Error {}

const say = (text) => process.stdout.write(`${text}\n`);

/** Folders of the user's PATH; npm puts those of packages in front. */
const pathFolders = (process.env["PATH"] ?? "")
	.split(delimiter)
	.filter((folder) => folder !== "" && !/node_modules[\\/]/.test(folder))
	.map((folder) => resolve(folder));

const ownBin = join(homedir(), ".local", "bin");
/** npm tells its scripts where global packages go. */
const npmBin = process.env["npm_config_global_prefix"]
	? join(process.env["npm_config_global_prefix"], "bin")
	: ownBin;

function canWrite(folder) {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** ~/.local/bin, unless only npm's folder for global programs is on the PATH and may be written. */
function chosenFolder() {
	if (pathFolders.includes(ownBin)) return ownBin;
	return pathFolders.includes(npmBin) && canWrite(npmBin) ? npmBin : ownBin;
}

/** Which program an installed script starts, as the script has it; undefined for any other file. */
function startedBy(file) {
	try {
		const [, mark, , main] = readFileSync(file, "utf8").split("\n");
		return mark === MARK ? main : undefined;
	} catch {
		return undefined;
	}
}

const isThere = (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const STARTS = `main=${quoted(MAIN)}`;

function launcher(node) {
	return [
		"#!/bin/sh",
		MARK,
		`node=${quoted(node)}`,
		STARTS,
		'if [ -x "$node" ] && [ -f "$main" ]; then exec "$node" "$main" "$@"; fi',
		`printf '%s\\n' "spar: the checkout of Sparring that this program belongs to is gone or not built: $main" \\`,
		'	"Run npm run install-spar in a checkout, or remove $0." >&2',
		"exit 2",
		"",
	].join("\n");
}

function writeLauncher(file, text) {
	try {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(`${file}.${process.pid}`, text);
		chmodSync(`${file}.${process.pid}`, 0o755);
		renameSync(`${file}.${process.pid}`, file);
	} catch (error) {
		throw new Refusal(
			`cannot write ${file}: ${error.message}. Make ${dirname(file)} writable and retry.`,
			{ cause: error },
		);
	}
}

function install() {
	if (process.platform === "win32")
		throw new Refusal("this writes a shell script, which Windows does not run: use WSL.");
	const link = join(ROOT, "node_modules", ".bin", "node");
	if (!existsSync(link) || !existsSync(MAIN))
		throw new Refusal("this checkout is not built yet: npm run install-spar does both.");
	const folder = chosenFolder();
	const file = join(folder, "spar");
	if (isThere(file) && startedBy(file) === undefined)
		throw new Refusal(
			`${file} is there and is another program, which stays. ` +
				"If npm installed it: npm uninstall --global sparring. Else rename it. Then run this again.",
		);
	writeLauncher(file, launcher(realpathSync(link)));
	say(`spar is at ${file}, and runs from ${ROOT}, which has to stay there.`);
	if (!pathFolders.includes(folder))
		say(
			`${folder} is not on your PATH. Add this line to ~/.profile (or what your shell reads), and run it now:\n` +
				`  export PATH="${folder}:$PATH"`,
		);
	const first = pathFolders.find((each) => isThere(join(each, "spar")));
	if (first !== undefined && realpathSync(first) !== realpathSync(folder))
		say(`${join(first, "spar")} comes before it on your PATH: remove it, or put ${folder} first.`);
	say(
		"After an update of the checkout: the same command again. To take it away: npm run uninstall-spar",
	);
}

function removeFile(file) {
	try {
		rmSync(file);
	} catch (error) {
		throw new Refusal(`cannot remove ${file}: ${error.message}`, { cause: error });
	}
	say(`removed ${file}`);
}

function remove() {
	const folders = [ownBin, npmBin, ...pathFolders].filter((folder) => existsSync(folder));
	// /bin and /usr/bin are often one folder.
	const files = new Set(folders.map((folder) => join(realpathSync(folder), "spar")));
	const installed = [...files].filter((file) => startedBy(file) !== undefined);
	for (const file of installed) {
		if (startedBy(file) === STARTS) removeFile(file);
		else
			say(
				`${file} belongs to another checkout and stays (${startedBy(file)}): npm run uninstall-spar there, or remove the file`,
			);
	}
	if (installed.length === 0) say("there is no spar that npm run install-spar has written");
	if (existsSync(STATE))
		say(
			`${STATE} stays, with checkouts of runs and what checks have kept; records are in .sparring/ of each repository`,
		);
}

try {
	if (process.argv.includes("--remove")) remove();
	else install();
} catch (error) {
	process.stderr.write(`${error instanceof Refusal ? `error: ${error.message}` : error.stack}\n`);
	process.exitCode = 1;
}
