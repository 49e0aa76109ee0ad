import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { APPROVES, dataOf, outcomeOf, type Play, stage } from "../../acceptance/stage.ts";
import { type SparProcess, startSpar } from "../../support/spar.ts";
import { stateRows } from "../../support/state-rows.ts";
import { tidyLater } from "../../support/tidy.ts";
import { USER_HOME } from "../../support/user-home.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { natsAddress, ownNames } from "../support/nats.ts";

const PATH = "test/integration/limit.test.sh";
const THREE = [
	"echo 'TAP version 13'; echo 1..1",
	'if [ "$(sh limit.sh)" = 3 ]; then echo "ok 1 - allows three"; else echo "not ok 1 - allows three"; exit 1; fi\n',
].join("\n");
const plays = (turn: number | undefined, answer: number) => ({
	role: "player" as const,
	...(turn === undefined ? {} : { turn }),
	run: `echo 'echo ${answer}' > limit.sh`,
});
const WRITES = {
	role: "verifier" as const,
	files: { [PATH]: THREE },
	report: { run: `sh ${PATH}`, tests_written: [PATH] },
};

/** Fails in its first turn and passes in its second, by the tests of a verifier. */
const STEPS = [plays(1, 2), plays(undefined, 3), WRITES, APPROVES];

const play = (verification: object, steps: Play["steps"] = STEPS): Play => ({
	steps,
	files: { "limit.sh": "echo 0\n" },
	task: { requires_verification: true },
	workflow: { verifier: "coach", verification: { paths: ["test/**"], ...verification } },
});

const overNats = (more: object = {}) => ({
	via: "nats",
	nats: { servers: [natsAddress()], ...ownNames(), ...more },
});

/** Starts `spar verifier`, and waits until it serves. */
async function served(repo: Parameters<typeof startSpar>[0], ...args: readonly string[]) {
	const verifier = startSpar(repo, ["verifier", "--json", ...args]);
	tidyLater(() => void verifier.child.kill("SIGKILL"));
	await waitUntil("the verifier serves", () => verifier.output().stdout.includes('"serving"'));
	return verifier;
}

const newsOf = (verifier: SparProcess): Readonly<Record<string, unknown>>[] =>
	verifier
		.output()
		.stdout.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

/** What is the same wherever it was verified: neither times nor ids. */
const told = (events: readonly { type: string; turn: number | null; node: string | null }[]) =>
	events.map(({ type, turn, node }) => `${turn} ${node} ${type}`);

/** Names of the stored steps; commits differ, since the workflow files do. */
const stepsOf = (repo: Parameters<typeof stateRows>[0]): string[] =>
	stateRows(repo, "SELECT turn, step FROM steps")
		.map(({ turn, step }) => `${String(turn)} ${String(step)}`.replace(/[0-9a-f]{40}/, "COMMIT"))
		.sort();

test("a run whose work spar verifier verifies has the same events and records as one that verifies itself", async () => {
	const own = stage(play({}));
	const ownRun = await own.run();
	const shown = (stderr: string): string[] =>
		stderr
			.split("\n")
			.slice(1)
			.map((line) =>
				line.replaceAll(/ *\d+:\d\d$|\d+\.\ds|[0-9a-f]{10,40}|\d{8}-\d{6}-\w{4}/g, "X"),
			)
			.sort();
	expect(ownRun.task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });

	const far = stage(play(overNats()));
	const verifier = await served(far.repo);
	const farRun = await far.run();
	const { task, code } = farRun;
	expect(task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });
	expect(code).toBe(0);
	expect(told(far.trace().events)).toEqual(told(own.trace().events));
	// The person at the run sees what happens in the other process.
	expect(shown(farRun.stderr)).toEqual(shown(ownRun.stderr));
	expect(dataOf(far.trace(), "verification-decided").map(({ verdict }) => verdict)).toEqual([
		"failed",
		"passed",
	]);
	const calls = "SELECT turn, role, call FROM calls ORDER BY turn, role, call";
	expect(stateRows(far.repo, calls)).toEqual(stateRows(own.repo, calls));
	expect(stepsOf(far.repo)).toEqual(stepsOf(own.repo));

	verifier.child.kill("SIGTERM");
	expect((await verifier.ended).code).toBe(0);
	expect(newsOf(verifier).map(({ kind, turn, outcome }) => [kind, turn, outcome])).toEqual([
		["serving", undefined, undefined],
		["request", 1, undefined],
		["result", 1, "failed"],
		["request", 2, undefined],
		["result", 2, "passed"],
	]);
});

/** The verifier's tests wait for a file, so that a kill comes while they run, and after the answer was stored. */
const WAITS = `while [ ! -e "${USER_HOME}/go" ]; do sleep 0.05; done\n${THREE}`;
const SLOW = [plays(undefined, 3), { ...WRITES, files: { [PATH]: WAITS } }, APPROVES];

/** A run that has come as far as the verifier's tests, which wait. */
async function runThatWaits() {
	const set = stage(play(overNats({ ack_wait: "1s" }), SLOW));
	const verifier = await served(set.repo);
	const run = startSpar(set.repo, ["run", "--json"]);
	tidyLater(() => void run.child.kill("SIGKILL"));
	await waitUntil("the tests run", () => stepsOf(set.repo).includes("1 verification-written/1"));
	const asked = (): number =>
		set.agents.calls().filter(({ role, event }) => role === "verifier" && event === "start").length;
	return {
		...set,
		verifier,
		running: run,
		asked,
		go: () => writeFileSync(`${set.repo.home}/go`, ""),
	};
}

test("a killed verifier's request goes to another one, which asks no agent again", async () => {
	const { repo, verifier, running, asked, go } = await runThatWaits();
	verifier.child.kill("SIGKILL");
	await verifier.ended;
	const second = await served(repo);
	await waitUntil("it is given out again", () => newsOf(second).length > 1);
	go();
	expect(outcomeOf(await running.ended).task).toMatchObject({ verification: "passed", turns: 1 });
	expect(asked()).toBe(1);
});

test("a verifier that is told to end hands its request back, and another one takes it at once", async () => {
	const { repo, verifier, running, asked, go } = await runThatWaits();
	const second = await served(repo);
	verifier.child.kill("SIGTERM");
	expect((await verifier.ended).code).toBe(0);
	expect(newsOf(verifier).at(-1)).toMatchObject({ kind: "result", outcome: "handed_back" });
	await waitUntil("the other one has it", () => newsOf(second).length > 1);
	go();
	expect(outcomeOf(await running.ended).task).toMatchObject({ verification: "passed" });
	expect(asked()).toBe(1);
});

test("a run that was killed while it waited finds the result when it is resumed, and nobody has to serve", async () => {
	const { verifier, running, asked, go, resume } = await runThatWaits();
	running.child.kill("SIGKILL");
	await running.ended;
	go();
	await waitUntil("the verifier has a result", () => newsOf(verifier).length > 2);
	verifier.child.kill("SIGTERM");
	await verifier.ended;
	expect(newsOf(verifier).at(-1)).toMatchObject({ kind: "result", outcome: "passed" });
	expect((await resume()).task).toMatchObject({ status: "completed", verification: "passed" });
	expect(asked()).toBe(1);
});

test("what a verifier does for a process that lost the run is not stored, and the new holder is served", async () => {
	const { verifier, running, asked, spar, go } = await runThatWaits();
	running.child.kill("SIGKILL");
	await running.ended;
	// The new holder ends what the old one's work left, and asks under an epoch of its own.
	const resumed = spar(["resume", "--json"]);
	await waitUntil("it is refused", () =>
		newsOf(verifier).some(({ outcome }) => outcome === "refused"),
	);
	const [refused] = newsOf(verifier).filter(({ outcome }) => outcome === "refused");
	// It is refused at its next look at the lease, or where the new holder has ended a command under it.
	expect(refused?.["why"]).toMatch(/was taken over by another process|was ended from outside/);
	go();
	expect(outcomeOf(await resumed).task).toMatchObject({ verification: "passed" });
	expect(asked()).toBe(1);
});

test("where no verifier serves, the task stops with what to do, and a resume goes on", async () => {
	const set = stage(
		play(overNats({ context_timeout: "1s" }), [plays(undefined, 3), WRITES, APPROVES]),
	);
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toMatch(/no verifier serves S_\w+ on NATS at nats:.*got no answer for 1 s/);
	expect(stderr).toContain("Start one with `spar verifier`");
	await served(set.repo);
	expect((await set.resume()).task).toMatchObject({ verification: "passed" });
});
