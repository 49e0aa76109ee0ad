import { SYNTAX_MARK } from "../judge/syntax-runner.ts";
import type { Clock } from "../kernel/clock.ts";
import { counted } from "../kernel/counted.ts";
import { formatDuration } from "../kernel/duration.ts";
import type { ProcessHost } from "../process/process.ts";

/** The time that a check took, in milliseconds; what neither commands nor agents took is Sparring's own. */
export interface CheckTime {
	readonly total_ms: number;
	/** While a command of the project ran: a setup, or a run of its tests. */
	readonly commands_ms: number;
	readonly commands: number;
	/** While a coach or a verifier looked at the work; 0 without them. */
	readonly agents_ms: number;
}

/** Measures where the time of a check goes. */
export class CheckWatch {
	readonly #clock: Pick<Clock, "now">;
	readonly #since: number;
	#running = 0;
	#runningSince = 0;
	#commands = 0;
	#commandsMs = 0;
	#agentsMs = 0;

	constructor(clock: Pick<Clock, "now">) {
		this.#clock = clock;
		this.#since = clock.now();
	}

	/** A host whose commands are counted. Those that run at once take their time together once. */
	watched(host: ProcessHost): ProcessHost {
		return {
			...host,
			run: async (request, signal) => {
				if (request.mark.endsWith(SYNTAX_MARK)) return await host.run(request, signal);
				this.#commands += 1;
				if (this.#running === 0) this.#runningSince = this.#clock.now();
				this.#running += 1;
				try {
					return await host.run(request, signal);
				} finally {
					this.#running -= 1;
					if (this.#running === 0) this.#commandsMs += this.#clock.now() - this.#runningSince;
				}
			},
		};
	}

	/** The answer of agents, whose time is counted. */
	async ofAgents<T>(work: Promise<T>): Promise<T> {
		const startedAt = this.#clock.now();
		const answer = await work;
		this.#agentsMs += this.#clock.now() - startedAt;
		return answer;
	}

	/** The time until now. */
	time(): CheckTime {
		return {
			total_ms: this.#clock.now() - this.#since,
			commands_ms: this.#commandsMs,
			commands: this.#commands,
			agents_ms: this.#agentsMs,
		};
	}
}

/** @example `took 11.2s: 9.3s in 3 runs of your commands, 1.9s in Sparring` */
export function timeText({ total_ms, commands_ms, commands, agents_ms }: CheckTime): string {
	const own = Math.max(0, total_ms - commands_ms - agents_ms);
	const parts = [
		`${formatDuration(commands_ms)} in ${counted(commands, "run")} of your commands`,
		...(agents_ms === 0 ? [] : [`${formatDuration(agents_ms)} with agents`]),
		`${formatDuration(own)} in Sparring`,
	];
	return `took ${formatDuration(total_ms)}: ${parts.join(", ")}`;
}
