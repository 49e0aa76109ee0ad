import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryParents } from "../../src/process/temporary.ts";
import { workflow } from "../support/workflow.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const ATTACKER = fileURLToPath(new URL("attack.mjs", import.meta.url));

/** A number that no user of this machine has. */
const NOBODY = 61_735;

const isRoot = process.getuid?.() === 0;

const isOther = process.env["SPAR_NO_OTHER_USER"] !== "1";
const user = isRoot ? NOBODY : (process.getuid?.() ?? 0);

/** Root can be both; `npm run test:sandbox` says what is not tested. */
const ATTACKERS = [
	...(isRoot ? [{ who: "root", uid: 0, unixSockets: false }] : []),
	...(isOther ? [{ who: "a user", uid: user, unixSockets: false }] : []),
	{ who: "somebody with Unix sockets", uid: isOther ? user : 0, unixSockets: true },
];

type Answers = Readonly<Record<string, "allowed" | "refused">>;
type Targets = Readonly<
	Record<string, Readonly<Record<string, string | number | readonly string[]>>>
>;
const answers = z.record(z.string(), z.enum(["allowed", "refused"]));

interface Attack {
	readonly answered: readonly { readonly role: string; readonly found: Answers }[];
	readonly stderr: string;
}

const ID = "project-aaaaaaaaaaaa";
const OTHER = "other-000000000000";

/** A home with a project, credentials and another project, all of one user, and what goes on beside a run. */
class Scene {
	readonly root = realpathSync(mkdtempSync(join(tmpdir(), "spar-attack-")));
	readonly home = join(this.root, "home");
	readonly project = join(this.home, "project");
	readonly worktree = join(this.home, "second worktree");
	readonly state = join(this.home, ".local/state/sparring");
	/** Of the project, by the id that the scene gives it. */
	readonly checkouts = join(this.state, ID);
	readonly #uid: number;
	readonly #servers: Server[] = [];
	victim: ChildProcess | undefined;

	constructor(uid: number) {
		this.#uid = uid;
		chmodSync(this.root, 0o755);
		mkdirSync(this.project, { recursive: true });
	}

	get env(): Record<string, string> {
		return { PATH: process.env["PATH"] ?? "", HOME: this.home, LANG: "C.UTF-8" };
	}

	/** The rights of the scene's user; root may become anybody. */
	get rights() {
		return isRoot ? { uid: this.#uid, gid: this.#uid } : {};
	}

	write(files: Readonly<Record<string, string>>): void {
		for (const [path, text] of Object.entries(files)) {
			const file = join(this.home, path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		if (isRoot) execFileSync("chown", ["-R", `${this.#uid}:${this.#uid}`, this.root]);
	}

	git(...args: string[]): string {
		const command = ["-c", "user.name=t", "-c", "user.email=t@t.invalid", ...args];
		const options = { cwd: this.project, env: this.env, encoding: "utf8", ...this.rights } as const;
		return execFileSync("git", command, options).trim();
	}

	commit(message: string): void {
		this.git("add", ".");
		this.git("commit", "--quiet", "-m", message);
	}

	async serve(at: string | number): Promise<number> {
		const server = createServer((socket) => socket.end("mine"));
		this.#servers.push(server);
		server.listen(at);
		await once(server, "listening");
		if (typeof at === "string") chmodSync(at, 0o777);
		return typeof at === "string" ? 0 : (server.address() as AddressInfo).port;
	}

	async startVictim(): Promise<number> {
		const env = { SECRET: "secret of the user" };
		this.victim = spawn("sleep", ["1000"], { env, ...this.rights });
		await once(this.victim, "spawn");
		return this.victim.pid ?? 0;
	}

	/** Runs the workflow; gives what the attackers printed, with their roles. */
	attack(): Attack {
		const options = { cwd: this.project, env: this.env, encoding: "utf8", ...this.rights } as const;
		const command = [MAIN, "run", "--json"];
		const { stdout, stderr } = spawnSync(process.execPath, command, {
			...options,
			timeout: 100_000,
		});
		const runId = /"run_id": *"([^"]+)"/.exec(stdout)?.[1] ?? "none";
		const state = join(this.project, ".sparring");
		const answered = readdirSync(state, { recursive: true, encoding: "utf8" })
			.filter((name) => name.includes(`${runId}/`))
			.map((name) => join(state, name))
			.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
			.flatMap((path) => [...readFileSync(path, "latin1").matchAll(/^ATTACK (\w+) (\{.*\})$/gm)])
			.map(([, role = "", text = ""]) => ({ role, found: answers.parse(JSON.parse(text)) }));
		return { answered, stderr };
	}

	close(): void {
		for (const server of this.#servers) server.close();
		this.victim?.kill("SIGKILL");
		rmSync(this.root, { recursive: true, force: true });
	}
}

/** What is nobody's business: what the user has, and what other calls, roles, tasks, runs and repositories have. */
function closedTargets({ project, worktree, home, checkouts, state }: Scene): Targets {
	const at = (path: string): string => join(project, path);
	const file = (path: string) => ({ read: path, write: path });
	const folder = (path: string) => ({ list: path, write: path });
	return {
		"the user's repository": folder(project),
		"a tracked file there": file(at("a.txt")),
		"an ignored .env": file(at(".env")),
		"another work tree": { list: worktree, ...file(join(worktree, ".env")) },
		"git's settings": file(at(".git/config")),
		"git's branches": folder(at(".git/refs/heads")),
		"git's log": file(at(".git/logs/HEAD")),
		"git's index": file(at(".git/index")),
		"git's hooks": folder(at(".git/hooks")),
		"the records": folder(at(".sparring")),
		"the database": file(at(".sparring/sparring.db")),
		"the transcripts": folder(at(".sparring/transcripts")),
		"the gate reports": folder(at(".sparring/state")),
		"the vault": { ...folder("RUN/vault.git"), read: "RUN/vault.git/HEAD" },
		"the run": folder("RUN"),
		"the task": folder("TASK"),
		"the checks' checkout": folder("TASK/checks"),
		"the player's checkout": folder("TASK/player"),
		"setup results": { ...folder(join(checkouts, "setups")), ...file(join(checkouts, "setups/x")) },
		"another run": {
			list: join(checkouts, "run"),
			...file(join(checkouts, "run/one/player/a.txt")),
		},
		"other repositories": {
			list: join(state, OTHER),
			...file(join(state, OTHER, "run/one/a.txt")),
		},
		"all checkouts": folder(state),
		credentials: { list: join(home, ".ssh"), ...file(join(home, ".ssh/id")) },
	};
}

/** The machine, and what else goes on there. */
const machineTargets = (seen: Beside): Targets => ({
	"another process": { read: `/proc/${seen.victim}/environ`, signal: seen.victim },
	"files of another sandbox's calls": { list: seen.sandbox, read: join(seen.sandbox, "call") },
	"a Unix socket": { connect: seen.socket },
	"a port that is not listed": { connect: seen.closedPort },
	"a host that is not listed": { fetch: "http://outside.invalid/" },
	"the kernel's settings": { write: "/proc/sys/kernel/domainname" },
	"the kernel's interrupts": { write: "/proc/irq" },
	"the kernel's timers": { read: "/proc/timer_list" },
	"the machine's devices": { write: "/sys/kernel" },
	"the control groups": { write: "/sys/fs/cgroup" },
	"the system's settings": { write: "/etc/passwd" },
	"its call's files": { write: "CALL" },
	"objects of commits": { write: join(seen.objects, "info") },
	"another project": { write: join(seen.elsewhere, "a.txt") },
	"a ref of git": { git: ["rev-parse", "--verify", "--quiet", "refs/stash"] },
});

const openTargets = (seen: Beside): Targets => ({
	"its checkout": { list: "CHECKOUT", read: "CHECKOUT/a.txt", write: "CHECKOUT" },
	"its temporary directory": { write: "TMP" },
	"a listed port": { connect: seen.openPort },
	"the system's settings": { read: "/etc/passwd", list: "/etc" },
	"another project": { list: seen.elsewhere, read: join(seen.elsewhere, "a.txt") },
	"objects of commits": { list: seen.objects, git: ["cat-file", "-e", seen.stash] },
	"git status": { git: ["status", "--porcelain"] },
	"git log": { git: ["log", "-1"] },
	"git diff": { git: ["diff", "HEAD"] },
	"git describe": { git: ["describe", "--always"] },
});

const AGENT_TARGETS: Targets = {
	"its prompt": { read: "CALL/prompt.md" },
	"its report": { write: "REPORT" },
};

interface Beside {
	readonly victim: number;
	readonly socket: string;
	readonly openPort: number;
	readonly closedPort: number;
	/** A directory as that of another process's sandbox. */
	readonly sandbox: string;
	readonly elsewhere: string;
	readonly objects: string;
	readonly stash: string;
}

const answersTo = (targets: Targets, answer: "allowed" | "refused"): Answers =>
	Object.fromEntries(
		Object.entries(targets).flatMap(([place, kinds]) =>
			Object.keys(kinds).map((kind) => [`${place}: ${kind}`, answer] as const),
		),
	);

const APPROVES = JSON.stringify({
	decision: "approve",
	rationale: "Seen.",
	requirements_status: [{ criterion: "it is done", met: true, evidence: "seen" }],
});

const agent = (...run: string[]) => ({ adapter: "command", run });

/** A task with player and coach, and one with a verifier; everybody attacks. */
function workflowFile(project: string, sandbox: object | string): string {
	const task = { description: "Do it.", acceptance_criteria: ["it is done"], max_turns: 1 };
	const paired = { enabled: true, driver_agent: "dev", challenger_agent: "coach" };
	return workflow({
		sandbox,
		setup: ["node attack.mjs setup"],
		agents: {
			dev: agent("node", "attack.mjs"),
			// A program in the user's repository that no commit has, by its absolute path.
			coach: agent("sh", join(project, "tools/coach.sh")),
			tester: agent("node", "attack.mjs"),
		},
		checks: {
			all: { kind: "acceptance", run: "node attack.mjs check", report: { format: "exit" } },
		},
		human: { enabled: false },
		verifier: "tester",
		tasks: {
			one: { ...task, requires_verification: false, overlays: { paired_workflow: paired } },
			two: { ...task, agent: "dev", requires_verification: true },
		},
	});
}

const OWN = /^the (?:checks'|player's) checkout/;

const BORROWED: Targets = { "objects of commits": { list: "", git: [] } };
const BORROWED_LIST = "objects of commits: list";

/** What each role should find: of the checkouts that it is asked about, its own is left out. */
function expectedOf(role: string, found: Answers, seen: Beside, refused: Targets): Answers {
	const isAgent = role !== "setup" && role !== "check";
	// Setups are of both kinds of checkouts.
	const borrows = role === "setup" ? found[BORROWED_LIST] === "allowed" : isAgent;
	const all = Object.entries({
		...answersTo(refused, "refused"),
		...answersTo(openTargets(seen), "allowed"),
		...answersTo(AGENT_TARGETS, isAgent ? "allowed" : "refused"),
		// Where a product is judged it has a history of its own.
		...answersTo(BORROWED, borrows ? "allowed" : "refused"),
	});
	return Object.fromEntries(all.filter(([key]) => key in found || !OWN.test(key)));
}

describe.each(ATTACKERS)("attacks from inside, as $who", ({ uid, unixSockets }) => {
	const scene = new Scene(uid);
	const parent = join(dirname(temporaryParents()[0] ?? ""), `spar-${uid}`);
	const sandbox = join(parent, `box-of-others-${process.pid}`);
	let seen: Beside;
	let refused: Targets;
	let unconfined: Attack;

	function attack(mode: object | string): Attack {
		// What can be seen of the repository: objects, and the coach's program.
		const shared = [".git/objects", ".git/lfs", "tools"].map((name) => join(scene.project, name));
		const targets = merged(merged(refused, openTargets(seen)), AGENT_TARGETS);
		scene.write({
			"project/targets.json": JSON.stringify({ shared, targets }),
			"project/sparring.yaml": workflowFile(scene.project, mode),
		});
		scene.commit("Attack");
		return scene.attack();
	}

	beforeAll(async () => {
		mkdirSync(sandbox, { recursive: true });
		chmodSync(parent, 0o700);
		writeFileSync(join(sandbox, "call"), "of another run\n");
		if (isRoot) execFileSync("chown", [`${uid}:${uid}`, parent]);
		if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, sandbox]);
		const state = ".local/state/sparring";
		scene.write({
			"project/a.txt": "a\n",
			"project/.gitignore": ".env\ntools/\n.sparring/\n",
			"project/.env": "secret of the user\n",
			"project/attack.mjs": readFileSync(ATTACKER, "utf8"),
			"project/tools/coach.sh": `node attack.mjs && printf '%s' '${APPROVES}' > "$SPAR_REPORT"\n`,
			"project/.sparring/repository-id": `${ID}\n`,
			"project/.sparring/state/gate-reports/old.json": "{}\n",
			[`${state}/${ID}/setups/x`]: "kept\n",
			[`${state}/${ID}/run/one/player/a.txt`]: "another run's\n",
			[`${state}/${OTHER}/run/one/a.txt`]: "another repository's\n",
			".ssh/id": "secret of the user\n",
			"elsewhere/a.txt": "a\n",
		});
		scene.git("init", "--quiet", "--initial-branch=main");
		scene.commit("First");
		scene.write({ "project/a.txt": "stashed\n" });
		scene.git("stash", "--quiet");
		scene.git("worktree", "add", "--quiet", "--detach", scene.worktree);
		scene.write({ "second worktree/.env": "secret of the user\n" });
		const socket = join(scene.root, "service.sock");
		await scene.serve(socket);
		seen = {
			victim: await scene.startVictim(),
			socket,
			openPort: await scene.serve(0),
			closedPort: await scene.serve(0),
			sandbox,
			elsewhere: join(scene.home, "elsewhere"),
			objects: join(scene.project, ".git/objects"),
			stash: scene.git("rev-parse", "refs/stash"),
		};
		refused = merged(closedTargets(scene), machineTargets(seen));
		if (!unixSockets) unconfined = attack("off");
	});

	afterAll(() => {
		scene.close();
		rmSync(sandbox, { recursive: true, force: true });
	});

	function expectReachWithout(): void {
		const { answered, stderr } = unconfined;
		const found = answered.find(({ role }) => role === "coach")?.found ?? {};
		const closed = Object.keys(answersTo(closedTargets(scene), "allowed"));
		const missed = closed.filter((key) => found[key] !== "allowed");
		expect(missed, stderr).toEqual([]);
	}

	// Without a sandbox everybody has all sockets.
	if (!unixSockets)
		test("reach the user's files and all of the state without a sandbox, so that the next test can fail", () =>
			expectReachWithout());

	test("reach what is the call's own, and nothing else", () => {
		const allow_hosts = [`localhost:${seen.openPort}`];
		const { answered, stderr } = attack({
			mode: "required",
			allow_hosts,
			unix_sockets: unixSockets,
		});
		const roles = ["check", "coach", "player", "setup", "verifier"];
		expect([...new Set(answered.map(({ role }) => role))].toSorted(), stderr).toEqual(roles);
		const ofSetups = answered.filter(({ role }) => role === "setup");
		expect(new Set(ofSetups.map(({ found }) => found[BORROWED_LIST]))).toEqual(
			new Set(["refused", "allowed"]),
		);
		for (const { role, found } of answered) {
			const expected = expectedOf(role, found, seen, refused);
			// Every socket that no service of the session is known for.
			const socket = unixSockets ? "allowed" : "refused";
			expect(found, role).toEqual({ ...expected, "a Unix socket: connect": socket });
		}
	});
});

/** Both tables in one; a place may be in both with different kinds of access. */
function merged(one: Targets, other: Targets): Record<string, Targets[string]> {
	const all: Record<string, Targets[string]> = { ...one };
	for (const [place, kinds] of Object.entries(other)) all[place] = { ...all[place], ...kinds };
	return all;
}
