import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { type Environment, inScratch, withoutGit } from "./scratch.ts";
import { commitWorkflow, INSTALL, makeSetupProject } from "./setup-project.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Installs and runs of each kind; medians count. */
const ROUNDS = 1;

/** What a run may cost outside of agents and checks, in installs. */
const TARGET = 1.3;

/** How long a call of an agent lasts, in installs. */
const CALL = 2.5;

const trace = z.object({
	events: z.array(
		z.object({
			type: z.string(),
			data: z.looseObject({ ms: z.number().optional(), reused: z.string().optional() }),
		}),
	),
});

/**
 * A task of two turns on a project with 300 dependencies: the wall time of `spar run` outside of agents and checks,
 * against one install. With nothing kept, with the result of an earlier run, and with `setup_cache: false`.
 */
export function measureSetup(environment: Environment): Promise<Measurement[]> {
	return inScratch(async (scratch) => {
		const checkouts = join(scratch, "checkouts");
		const env = { ...withoutGit(environment), HOME: scratch, SPAR_CHECKOUTS: checkouts };
		const project = makeSetupProject(scratch, env);
		// The first one fills npm's own cache.
		timed("sh", ["-c", INSTALL], project, env);
		const installs: number[] = [];
		const runs = { first: [] as number[], later: [] as number[], without: [] as number[] };
		const install = () => {
			rmSync(join(project, "node_modules"), { recursive: true });
			return timed("sh", ["-c", INSTALL], project, env);
		};
		const seconds = Math.ceil((CALL * install()) / 1_000);
		for (let round = 0; round < ROUNDS; round += 1) {
			installs.push(install());
			commitWorkflow(project, { seconds, cache: true }, env);
			runs.first.push(outside(project, env));
			runs.later.push(outside(project, env));
			installs.push(install());
			commitWorkflow(project, { seconds, cache: false }, env);
			runs.without.push(outside(project, env));
			rmSync(checkouts, { recursive: true });
		}
		const of = (name: string, values: readonly number[]): Measurement => ({
			name: `two turns with 300 dependencies, agents of ${seconds} s, ${name}, against one npm ci`,
			value: median(values),
			floor: median(installs),
			unit: "ms",
			target: TARGET,
		});
		return [
			of("nothing kept yet", runs.first),
			of("kept by an earlier run", runs.later),
			of("setup_cache: false", runs.without),
		];
	});
}

function timed(
	program: string,
	args: readonly string[],
	cwd: string,
	env: Record<string, string | undefined>,
): number {
	const from = performance.now();
	execFileSync(program, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
	return performance.now() - from;
}

/** Wall time of a run without the calls of its agents and its checks, in ms. */
function outside(project: string, env: Record<string, string | undefined>): number {
	const whole = timed(process.execPath, [MAIN, "run", "--json"], project, env);
	const text = readFileSync(join(project, ".sparring/traces/bench.json"), "utf8");
	const { events } = trace.parse(JSON.parse(text));
	const inside = events.filter(
		({ type, data }) =>
			type === "agent-answered" || (type === "check-ran" && data.reused === undefined),
	);
	return whole - inside.reduce((sum, { data }) => sum + (data.ms ?? 0), 0);
}
