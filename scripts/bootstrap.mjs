// Runs a command with the project's own Node.js and tools, installing them first when needed.
//
//   node scripts/bootstrap.mjs [command [argument...]]
//
// Plain JavaScript for Node.js 20 and later: it is what runs before anything is installed. It calls
// `npm ci` when node_modules is missing or does not belong to package-lock.json, says so on standard
// error, and is quiet otherwise. Then it runs the command with node_modules/.bin first on the PATH
// (which holds the Node.js that the project needs), hands signals on, and ends as the command ended.
// Exit codes of its own: 1 when the installation failed, 127 when the command cannot be started.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { constants, hostname } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, "node_modules");
const BIN = join(MODULES, ".bin");
const STAMP = join(MODULES, ".bootstrap-stamp");
const LOCK = join(ROOT, ".bootstrap.lock");
const INSTALL = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
const BEAT_MS = 2_000;
/** A lock that was not touched for this long belongs to nobody: thirty missed beats. */
const STALE_MS = 60_000;
const POLL_MS = 200;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A failure whose message is all that the reader needs: no stack is printed. */
class Refusal extends Error {}

function say(text) {
	process.stderr.write(`bootstrap: ${text}\n`);
}

async function readOr(path, fallback) {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		if (error.code === "ENOENT" || error.code === "ENOTDIR") return fallback;
		throw error;
	}
}

/** Names one state of the dependencies on one kind of machine: contents, since a clone makes every time fresh. */
function stampFor(lockText) {
	const hash = createHash("sha256").update(lockText).digest("hex");
	return `${hash} ${process.platform}-${process.arch}\n`;
}

async function isInstalled(lockText) {
	if (!existsSync(join(BIN, "node"))) return false;
	return (await readOr(STAMP, "")) === stampFor(lockText);
}

/**
 * Whether a plain `npm ci` or `npm install` left exactly what the lock file names.
 * npm keeps a list of what it installed; optional packages may be missing there.
 */
async function wasInstalledByHand(lockText) {
	if (!existsSync(join(BIN, "node"))) return false;
	const list = await readOr(join(MODULES, ".package-lock.json"), "{}");
	try {
		const wanted = Object.entries(JSON.parse(lockText).packages).filter(([path]) => path !== "");
		const found = JSON.parse(list).packages ?? {};
		const names = new Set(wanted.map(([path]) => path));
		return (
			wanted.every(([path, { version, optional }]) =>
				found[path] === undefined ? optional === true : found[path].version === version,
			) && Object.keys(found).every((path) => names.has(path))
		);
	} catch {
		return false;
	}
}

/** Whether the terminal sends this signal to the child as well, so that handing it on would double it. */
function comesFromTerminal(signal) {
	return signal !== "SIGTERM" && (process.stdin.isTTY === true || process.stderr.isTTY === true);
}

/** Runs a child to its end. Rejects only when it cannot be started. */
function runChild(command, args, options) {
	return new Promise((resolve, reject) => {
		let child;
		// In place before the child exists: a signal in between would end us and leave it running.
		const handlers = FORWARDED.map((signal) => {
			const handler = () => comesFromTerminal(signal) || child.kill(signal);
			process.on(signal, handler);
			return () => process.off(signal, handler);
		});
		const letGo = () => {
			for (const remove of handlers) remove();
		};
		child = spawn(command, args, options);
		child.once("error", (error) => {
			letGo();
			reject(error);
		});
		child.once("close", (code, signal) => {
			letGo();
			resolve({ code, signal });
		});
	});
}

/** Ends this process the way its child ended. */
function endLike({ code, signal }) {
	process.exitCode = signal === null ? code : 128 + constants.signals[signal];
	if (signal !== null) process.kill(process.pid, signal);
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code !== "ESRCH";
	}
}

/** Whether the lock's holder has ended without removing it. */
async function isAbandoned(holder) {
	const [pid, host] = holder.split(" ");
	if (host === hostname() && !isAlive(Number(pid))) return true;
	try {
		return Date.now() - (await stat(LOCK)).mtimeMs > STALE_MS;
	} catch {
		return false;
	}
}

/**
 * Moves an abandoned lock out of the way. The rename is what only one of several waiters can do;
 * one that finds a live lock in its hand (taken between the look and the rename) puts it back.
 */
async function breakLock(holder) {
	const aside = `${LOCK}.${process.pid}`;
	try {
		await rename(LOCK, aside);
	} catch {
		return;
	}
	if ((await readOr(aside, "")) === holder) await rm(aside, { force: true });
	else await rename(aside, LOCK);
}

async function tryLock() {
	try {
		const file = await open(LOCK, "wx");
		await file.writeFile(`${process.pid} ${hostname()}`);
		await file.close();
		return true;
	} catch (error) {
		if (error.code === "EEXIST") return false;
		throw new Refusal(
			`cannot write ${LOCK}: ${error.message}. Make the folder writable and retry.`,
			{ cause: error },
		);
	}
}

async function takeLock() {
	for (let announced = false; !(await tryLock()); ) {
		const holder = await readOr(LOCK, "");
		if (await isAbandoned(holder)) {
			await breakLock(holder);
			continue;
		}
		if (!announced) {
			say(`waiting: process ${holder} installs dependencies here (${LOCK})`);
			announced = true;
		}
		await pause(POLL_MS);
	}
	const beat = setInterval(() => {
		const now = new Date();
		utimes(LOCK, now, now).catch(() => undefined);
	}, BEAT_MS);
	return async () => {
		clearInterval(beat);
		await rm(LOCK, { force: true });
	};
}

/** The caller's PATH without our own tools: npm must not run on a Node.js that it is about to replace. */
function hostPath() {
	const entries = (process.env["PATH"] ?? "").split(delimiter);
	return entries.filter((entry) => entry !== BIN).join(delimiter);
}

async function install(reason) {
	say(`${reason}; running npm ci`);
	// Without the stamp an interrupted installation is never taken for a whole one.
	await rm(STAMP, { force: true });
	const result = await runChild("npm", INSTALL, {
		cwd: ROOT,
		env: { ...process.env, PATH: hostPath() },
		stdio: ["ignore", 2, 2],
		shell: process.platform === "win32",
	}).catch((error) => {
		throw new Refusal(`npm could not be started: ${error.message}. Install npm and retry.`);
	});
	if (result.signal !== null) return result;
	if (result.code !== 0) {
		throw new Refusal(
			`npm ci failed with exit code ${result.code}; its own message stands above. ` +
				"Check that the npm registry can be reached (npm ping), then run the same command again.",
		);
	}
	if (!existsSync(join(BIN, "node"))) {
		throw new Refusal(
			`npm ci installed no ${join("node_modules", ".bin", "node")}. If npm is set to skip install ` +
				"scripts, allow them (npm config set ignore-scripts false), then run the same command again.",
		);
	}
	say("dependencies are installed");
	return result;
}

/** Brings node_modules in step with the lock file. Resolves to the signal that ended npm, or null. */
async function ensureInstalled() {
	const lockText = await readOr(join(ROOT, "package-lock.json"), undefined);
	if (lockText === undefined) throw new Refusal(`package-lock.json is missing in ${ROOT}`);
	if (await isInstalled(lockText)) return null;
	const release = await takeLock();
	try {
		// Another process may have installed while this one waited.
		if (await isInstalled(lockText)) return null;
		if (!(await wasInstalledByHand(lockText))) {
			const isFirst = !existsSync(MODULES);
			const { signal } = await install(
				isFirst ? "node_modules is missing" : "node_modules does not match package-lock.json",
			);
			if (signal !== null) return signal;
		}
		await writeFile(STAMP, stampFor(lockText));
		return null;
	} finally {
		await release();
	}
}

async function main([command, ...args]) {
	const signal = await ensureInstalled();
	if (signal !== null) return endLike({ code: null, signal });
	if (command === undefined) return undefined;
	const env = { ...process.env, PATH: [BIN, hostPath()].join(delimiter) };
	try {
		return endLike(await runChild(command, args, { env, stdio: "inherit" }));
	} catch (error) {
		say(`cannot start ${command}: ${error.message}`);
		process.exitCode = 127;
		return undefined;
	}
}

try {
	await main(process.argv.slice(2));
} catch (error) {
	say(error instanceof Refusal ? error.message : error.stack);
	process.exitCode = 1;
}
