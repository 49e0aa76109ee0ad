import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.ts";
import { commitAll, type Environment, inScratch, withoutGit, writeFiles } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** A run of tasks that do not depend on each other. */
interface Team {
	readonly tasks: number;
	/** How long player and coach take, each, in seconds. */
	readonly seconds: number;
	/** The most that the run may take, as a multiple of the ideal time. */
	readonly target: number;
}

/** 4.4 s for one task beside 4 s of agents; 65 % of the ideal time for sixteen. */
const TEAMS: readonly Team[] = [
	{ tasks: 1, seconds: 2, target: 1.1 },
	{ tasks: 16, seconds: 2, target: 1 / 0.65 },
];

/** 90 % of the ideal time. */
const LARGE: Team = { tasks: 200, seconds: 30, target: 1 / 0.9 };

/** The most that a timer may be late, in ms, and that a further task may take of memory, in bytes. */
const MOST_LAG = 200;
const MOST_MEMORY = 2 * 1024 * 1024;

/** How a run went. Times in ms. */
interface Told {
	readonly wall: number;
	/** The longest that a timer was late. */
	readonly lag: number;
	/** Most resident memory, in bytes. */
	readonly resident: number;
}

/** Loaded into the process of a run: tells what cannot be seen from outside. */
const PROBE = `import { writeFileSync } from "node:fs";
let [at, lag] = [performance.now(), 0];
setInterval(() => {
	const now = performance.now();
	lag = Math.max(lag, now - at - 20);
	at = now;
}, 20).unref();
process.on("exit", () => {
	const resident = process.resourceUsage().maxRSS * 1024;
	if (process.env.BENCH_TOLD) writeFileSync(process.env.BENCH_TOLD, JSON.stringify({ lag, resident }));
});
`;

const PLAYER = `sleep "$SECONDS_OF_WORK"; echo done > "$SPAR_TASK.txt"; echo '{}' > "$SPAR_REPORT"`;
const COACH = `sleep "$SECONDS_OF_WORK"
echo '{"decision":"approve","rationale":"ok","requirements_status":[{"criterion":"done","met":true,"evidence":"seen"}]}' > "$SPAR_REPORT"`;

function workflowOf({ tasks, seconds }: Team): string {
	const agent = (script: string) => {
		const run = ["sh", "-c", `SECONDS_OF_WORK=${seconds}; ${script}`];
		return { adapter: "command", run };
	};
	const overlays = {
		paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
	};
	const task = { agent: "dev", description: "Work.", acceptance_criteria: ["done"], overlays };
	const names = Array.from({ length: tasks }, (_, nth) => `t${nth}`);
	return JSON.stringify({
		version: 1,
		name: "team",
		max_parallel: tasks,
		human: { enabled: false },
		agents: { dev: agent(PLAYER), coach: agent(COACH) },
		checks: { tests: { kind: "acceptance", run: "true", report: { format: "exit" } } },
		tasks: Object.fromEntries(names.map((name) => [name, task])),
	});
}

/** Runs a team by the built program. */
function work(environment: Environment, team: Team): Promise<Told> {
	return inScratch(async (scratch) => {
		const project = join(scratch, "project");
		const told = join(scratch, "told.json");
		writeFiles(project, { "sparring.yaml": workflowOf(team), "readme.md": "# Team\n" });
		writeFiles(scratch, { "probe.mjs": PROBE });
		commitAll(project, environment);
		const start = performance.now();
		const child = spawn(process.execPath, ["--import", join(scratch, "probe.mjs"), MAIN, "run"], {
			cwd: project,
			env: {
				...withoutGit(environment),
				SPAR_CHECKOUTS: join(scratch, "checkouts"),
				BENCH_TOLD: told,
			},
			stdio: "ignore",
		});
		const [code] = (await once(child, "exit")) as [number | null];
		const wall = performance.now() - start;
		if (code !== 0) throw new Error(`the run of ${team.tasks} tasks ended with ${code}`);
		return { wall, ...(JSON.parse(readFileSync(told, "utf8")) as Omit<Told, "wall">) };
	});
}

/**
 * Tasks at once, with merging: the time against the ideal (all players beside each other, then all coaches), the
 * lateness of timers, and the memory that a further task takes.
 *
 * @param isWhole with two hundred tasks too, which takes more than a minute
 */
export async function measureTeams(
	environment: Environment,
	isWhole: boolean,
): Promise<Measurement[]> {
	// What was just built is compiled by its first run, and kept for those that follow.
	await work(environment, { tasks: 1, seconds: 0, target: 1 });
	const measured: Measurement[] = [];
	let alone: Told | null = null;
	for (const team of isWhole ? [...TEAMS, LARGE] : TEAMS) {
		const told = await work(environment, team);
		measured.push(...measurementsOf(team, told, alone));
		alone ??= told;
	}
	return measured;
}

function measurementsOf(
	{ tasks, seconds, target }: Team,
	{ wall, lag, resident }: Told,
	alone: Told | null,
): Measurement[] {
	const name = `${tasks} ${tasks === 1 ? "task" : "tasks at once"}, agents of ${seconds} s`;
	const time = { name, value: wall, floor: 2_000 * seconds, unit: "ms", target } as const;
	if (alone === null) return [time];
	const memory = (resident - alone.resident) / (tasks - 1);
	return [
		time,
		{ name: `${name}: latest timer`, value: lag, floor: MOST_LAG, unit: "ms", target: 1 },
		{
			name: `${name}: memory of a task`,
			value: memory,
			floor: MOST_MEMORY,
			unit: "bytes",
			target: 1,
		},
	];
}
