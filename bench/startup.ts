import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runLoop } from "./loop-run.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { type Environment, inScratch } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

const ROUNDS = 31;

/**
 * `spar status` (with a finished run to show) and `spar --help`, as whole processes of the built package, against
 * `node -e 0`; the three take turns. Needs `npm run build` before.
 */
export function measureStartup(environment: Environment): Promise<Measurement[]> {
	return inScratch(async (scratch) => {
		await runLoop({ scratch, turns: 2, environment, onTurn: async () => undefined });
		const directory = join(scratch, "project");
		const env = { ...environment, SPAR_CHECKOUTS: join(scratch, "checkouts") };
		const time = (args: readonly string[]): number => {
			const start = performance.now();
			const { status, stderr } = spawnSync(process.execPath, args, { cwd: directory, env });
			if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${String(stderr)}`);
			return performance.now() - start;
		};
		const floor: number[] = [];
		const status: number[] = [];
		const help: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			floor.push(time(["-e", "0"]));
			status.push(time([MAIN, "status"]));
			help.push(time([MAIN, "--help"]));
		}
		const against = (name: string, values: readonly number[], target: number): Measurement => ({
			name: `${name} against \`node -e 0\``,
			value: median(values),
			floor: median(floor),
			unit: "ms",
			target,
		});
		return [against("`spar status`", status, 2), against("`spar --help`", help, 1.2)];
	});
}
