// The attacker: run as an agent, a check or a setup it tries every access of `targets.json` in its checkout and prints
// one line. It opens files for writing without changing them, and signals nobody with more than 0.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join, sep } from "node:path";

const tried = (attempt) => {
	try {
		return attempt() ? "allowed" : "refused";
	} catch {
		return "refused";
	}
};

function writes(path) {
	if (statSync(path).isDirectory()) {
		// Attackers of other tasks try the same folder at the same time.
		const made = join(path, `spar-attack-${randomUUID()}`);
		mkdirSync(made);
		rmdirSync(made);
	} else closeSync(openSync(path, "r+"));
	return true;
}

const connects = (where) =>
	new Promise((resolve) => {
		connect(typeof where === "string" ? { path: where } : { port: where, host: "127.0.0.1" })
			.on("connect", function () {
				this.destroy();
				resolve("allowed");
			})
			.on("error", () => resolve("refused"));
	});

const fetches = (url) =>
	fetch(url).then(
		({ ok }) => (ok ? "allowed" : "refused"),
		() => "refused",
	);

/** The way to what is the call's own can be seen. */
const isWay = (path) => own.some((place) => `${place}${sep}`.startsWith(`${path}${sep}`));

const ACCESS = {
	read: (path) => tried(() => readFileSync(path).length > 0),
	list: (path) => tried(() => readdirSync(path).some((name) => !isWay(join(path, name)))),
	write: (path) => tried(() => writes(path)),
	signal: (pid) => tried(() => process.kill(pid, 0)),
	git: (args) => tried(() => spawnSync("git", args).status === 0),
	connect: connects,
	fetch: fetches,
};

const role = process.env.SPAR_ROLE ?? process.argv[2];
const task = dirname(dirname(process.cwd()));
const standing = {
	TASK: task,
	RUN: dirname(task),
	CHECKOUT: process.cwd(),
	TMP: process.env.TMPDIR,
	CALL: dirname(process.env.SPAR_PROMPT ?? "/none/none"),
	REPORT: dirname(process.env.SPAR_REPORT ?? "/none/none"),
};
const { shared, targets } = JSON.parse(readFileSync("targets.json", "utf8"));
// A setup and a check have a home beside their checkout.
const home = join(dirname(process.cwd()), "home");
const own = [...shared, standing.CHECKOUT, home, standing.TMP, standing.CALL];
const found = {};
for (const [place, accesses] of Object.entries(targets)) {
	for (const [kind, target] of Object.entries(accesses)) {
		const where =
			typeof target === "string"
				? target.replace(/^(TASK|RUN|CHECKOUT|TMP|CALL|REPORT)\b/, (name) => standing[name])
				: target;
		// Each has a checkout of its own, and is asked about those of the others.
		if (target !== "CHECKOUT" && where === process.cwd()) continue;
		found[`${place}: ${kind}`] = await ACCESS[kind](where);
	}
}
process.stdout.write(`ATTACK ${role} ${JSON.stringify(found)}\n`);
if (role === "player") writeFileSync("work.txt", "done\n");
