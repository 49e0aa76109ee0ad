import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { natsAddress, ownNames } from "../support/nats.ts";
import { Site } from "../support/site.ts";

/** Answers 2 in its first turn, and 3 once it was told that the tests failed. */
const PLAYER = `if [ "$SPAR_TURN" = 1 ]; then echo 'echo 2' > limit.sh; else echo 'echo 3' > limit.sh; fi
`;

/** Writes a test for 3, and notes where and for which turn it was asked. */
const VERIFIER = `echo "$SPAR_TEST_HOST $SPAR_TURN" >> "$SITE/asked"
mkdir -p test/integration
cat > test/integration/limit.test.sh <<END
echo 'TAP version 13'; echo 1..1
while [ -e "$SITE/wait" ]; do sleep 0.05; done
if [ "\\$(sh limit.sh)" = 3 ]; then echo "ok 1 - allows three"; else echo "not ok 1 - allows three"; exit 1; fi
END
echo '{ "run": "sh test/integration/limit.test.sh", "tests_written": ["test/integration/limit.test.sh"] }' > "$SPAR_REPORT"
`;

const workflow = (verification: object): string => `version: 1
name: machines
agents:
  p: { adapter: command, run: [sh, player.sh] }
  v: { adapter: command, run: [sh, verifier.sh], env: [SITE, SPAR_TEST_HOST] }
  arbiter: { adapter: command, run: [sh, arbiter.sh] }
checks:
  tests: { run: "ls limit.sh", kind: acceptance, report: { format: exit } }
verifier: v
tie_breaker: arbiter
verification: ${JSON.stringify({ paths: ["test/**"], ...verification })}
human: { enabled: false }
tasks:
  limiter:
    description: allow three
    acceptance_criteria: [three are allowed]
    agent: p
    requires_verification: true
`;

const overNats = (more: object = {}) => ({
	via: "nats",
	nats: { servers: [natsAddress()], ...ownNames(), ...more },
});

let site: Site;

/** Limit of a test in ms: a job comes back 20 s after its worker was killed, a lease ends after 30 s. */
const WITH_WAITS = 240_000;

afterEach(() => site.remove());

async function make(machines: readonly string[], file: string): Promise<Site> {
	const files = {
		"player.sh": PLAYER,
		"verifier.sh": VERIFIER,
		"limit.sh": "echo 0\n",
		"sparring.yaml": file,
	};
	site = await Site.make({ files, machines });
	return site;
}

interface Report {
	readonly status: string;
	readonly unclaimed: readonly unknown[];
	readonly tasks: Readonly<Record<string, unknown>>;
}

const reported = (all: Site): Report =>
	JSON.parse(all.spar("office", "status", "--json")) as Report;

/** Where and for which turn the agent was asked, in order. */
function asked({ scratch }: Site): readonly string[] {
	const file = join(scratch, "asked");
	return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

/** What merged, with the verifier's tests in it. */
function expectVerified(all: Site, run: string): void {
	const { status, tasks } = reported(all);
	expect([status, tasks["limiter"]]).toMatchObject([
		"completed",
		{ merged: true, turns: 2, verification: "passed" },
	]);
	const files = all.atRemote("ls-tree", "-r", "--name-only", `sparring/${run}/integration`);
	expect(files.split("\n")).toContain("test/integration/limit.test.sh");
}

/** A run whose verifier on machine two has written tests, which wait until `go` lets them go on. */
async function runThatWaits() {
	const all = await make(["one", "two", "three"], workflow(overNats({ ack_wait: "1s" })));
	const file = join(all.scratch, "wait");
	writeFileSync(file, "");
	const one = all.start("one", ["worker"]);
	const two = all.start("two", ["verifier"]);
	await two.told("serves on");
	const run = all.begin();
	await two.told("asked");
	const isTaken = (): boolean =>
		all.spar("office", "trace", "limiter", "--json").includes("tests-taken");
	await waitUntil("the tests run", isTaken);
	return { all, one, two, run, go: () => rmSync(file) };
}

test(
	"a worker that was killed while its task waited is replaced by one that finds the answer",
	async () => {
		const { all, one, two, run, go } = await runThatWaits();
		await one.end("SIGKILL");
		go();
		await two.told("failed after");
		// It can't be asked any more: what it said of the first turn is stored.
		await two.end();
		const three = all.start("three", ["worker"]);
		await three.told("limiter");
		const again = all.start("two", ["verifier"]);
		all.spar("office", "watch", run);
		expectVerified(all, run);
		expect(asked(all)).toEqual(["two 1"]);
		expect(again.said()).not.toContain("turn 1");
	},
	WITH_WAITS,
);

test(
	"a cancelled run ends what is verified for it",
	async () => {
		const { all, two, run } = await runThatWaits();
		all.spar("office", "cancel", run);
		await two.told("refused");
		all.spar("office", "watch", run);
		expect(reported(all)).toMatchObject({
			status: "cancelled",
			tasks: { limiter: { status: "cancelled" } },
		});
		expect(two.said()).toMatch(/refused after \S+ s: run \S+ was cancelled/);
	},
	WITH_WAITS,
);

test("over one Postgres a verifier can also be asked over NATS, from a clone of its own", async () => {
	const all = await make(["one", "two"], workflow(overNats()));
	const two = all.start("two", ["verifier", "--json"]);
	await two.told('"serving"');
	all.start("one", ["worker"]);
	const run = all.begin();
	all.spar("office", "watch", run);
	expectVerified(all, run);
	expect(asked(all)).toEqual(["two 1"]);
});
