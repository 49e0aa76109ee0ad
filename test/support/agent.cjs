// A scripted agent: `node agent.cjs SCRIPT.json`, where the script is what `scriptedAgents` writes, relative to HOME.
// Logs the start and the end of each call, then does what the first matching step says. `agent-script.ts` does the
// same in the shell and leaves some steps to this. Node.js starts a CommonJS module a quarter faster.
const { spawn } = require("node:child_process");
const {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} = require("node:fs");
const { dirname, resolve } = require("node:path");
const process = require("node:process");
const { setTimeout: delay } = require("node:timers/promises");

const script = resolve(process.env.HOME, process.argv[2]);
const { log, steps } = JSON.parse(readFileSync(script, "utf8"));
const { SPAR_RUN, SPAR_TASK, SPAR_SUBTASK, SPAR_ROLE, SPAR_TURN, SPAR_REPORT, SPAR_CONTEXT } =
	process.env;
/**
 * A report that approves and says nothing of suspicions, with a yes to files that are no product: tasks of tests often write
 * such. One with a list of its own, even an empty one, is left as it is.
 */
function answered(report) {
	if (report?.decision !== "approve" || "suspicions_status" in report) return report;
	const { suspicions = [] } = JSON.parse(readFileSync(SPAR_CONTEXT, "utf8"));
	const files = suspicions.filter(({ rule }) => rule === "apparatus_changed");
	const suspicions_status = files.map(({ id }) => ({ id, ok: true, reason: "It is the work." }));
	return { ...report, suspicions_status };
}

const about = {
	run: SPAR_RUN,
	task: SPAR_TASK,
	subtask: SPAR_SUBTASK,
	role: SPAR_ROLE,
	turn: Number(SPAR_TURN),
};

function startsSoFar() {
	if (!existsSync(log)) return 0;
	const lines = readFileSync(log, "utf8").trimEnd().split("\n");
	const same = (line) =>
		line.event === "start" && Object.entries(about).every(([key, value]) => line[key] === value);
	return lines.map((line) => JSON.parse(line)).filter(same).length;
}

function matches(step, call) {
	const all = { ...about, call };
	return ["task", "subtask", "role", "turn", "call"].every(
		(key) => step[key] === undefined || step[key] === all[key],
	);
}

function writeFile(path, content) {
	rmSync(path, { recursive: true, force: true });
	if (content === null) return;
	mkdirSync(dirname(path), { recursive: true });
	if (typeof content === "string") writeFileSync(path, content);
	else if (content.link !== undefined) symlinkSync(content.link, path);
	else writeFileSync(path, Buffer.from(content.base64, "base64"));
	if (content.mode !== undefined) chmodSync(path, Number.parseInt(content.mode, 8));
}

/** Puts the ids of the open findings where the script says `$ID0`, `$ID1`, ... */
function withFindingIds(text) {
	if (!text.includes("$ID")) return text;
	const { findings } = JSON.parse(readFileSync(SPAR_CONTEXT, "utf8"));
	return text.replaceAll(/\$ID(\d+)/g, (found, at) => findings[Number(at)]?.id ?? found);
}

function note(event, call) {
	appendFileSync(log, `${JSON.stringify({ event, ...about, call, pid: process.pid })}\n`);
}

async function play() {
	if (step.grandchild) {
		// A session of its own that ignores polite signals: only a kill ends it.
		const stubborn =
			"process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});setInterval(()=>{},1e3)";
		spawn(process.execPath, ["-e", stubborn], { detached: true, stdio: "ignore" }).unref();
		note("grandchild", call);
	}
	if (step.delayMs !== undefined) await delay(step.delayMs);
	for (const [path, content] of Object.entries(step.files ?? {})) writeFile(path, content);
	if (step.run !== undefined) {
		const child = spawn("sh", ["-c", step.run], { stdio: "inherit" });
		await new Promise((resolve) => {
			child.once("close", resolve);
		});
	}
	if (step.stdout !== undefined) process.stdout.write(withFindingIds(step.stdout));
	if (step.stderr !== undefined) process.stderr.write(step.stderr);
	if (step.report !== undefined) {
		const report = answered(step.report);
		const text = typeof report === "string" ? report : JSON.stringify(report);
		writeFileSync(SPAR_REPORT, withFindingIds(text));
	}
	if (step.hang) await new Promise(() => setInterval(() => undefined, 1_000));
	note("end", call);
	process.exitCode = step.exit ?? 0;
}

const call = startsSoFar() + 1;
note("start", call);
const step = steps.find((each) => matches(each, call));
if (step === undefined) {
	process.stderr.write(`no step for ${JSON.stringify({ ...about, call })}\n`);
	process.exit(9);
}
void play();
