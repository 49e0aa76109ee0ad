import { Fault } from "../../kernel/fault.ts";
import { AGENT_FAILURES } from "../../kernel/roles.ts";
import type { Agent, AgentBreakdown, AgentCall, AgentOutcome } from "../agent.ts";
import { applyFiles } from "./apply-files.ts";
import { type CassetteLine, lineKey, usageOf } from "./cassette-line.ts";
import type { Cassette } from "./read-cassette.ts";

/** How a cassette is played. */
export interface CassetteAgentOptions {
	/** Whether recorded files are written into the checkout of the call. */
	readonly applyFiles: boolean;
}

function broken(message: string): AgentBreakdown {
	return { kind: "failed", failure: "unknown", message, output: "", ms: 0 };
}

function missing(call: AgentCall): AgentBreakdown {
	const subtask = call.subtask === null ? "" : `, subtask ${call.subtask}`;
	const { role, task, turn } = call;
	return broken(
		`no recorded call ${call.call} of ${role} for task ${task}${subtask}, turn ${turn}`,
	);
}

function outcomeOf(line: CassetteLine): AgentOutcome {
	const failure = AGENT_FAILURES.find((known) => known === line.outcome);
	const { report, output, ms } = line;
	const usage = line.usage === null ? null : usageOf(line.usage);
	if (failure !== undefined) {
		const message = `the recorded call failed: ${failure}`;
		return { kind: "failed", failure, message, output, ms, usage };
	}
	return {
		kind: "answered",
		report: typeof report === "string" || report === null ? report : JSON.stringify(report),
		output,
		ms,
		usage,
	};
}

/**
 * An agent that repeats recorded calls, found by role, task, subtask, turn and call.
 *
 * A call without a line fails as `unknown`, with a message that starts with `no recorded call`. So does one whose
 * recorded files would leave the checkout, with the reason; what was recorded is not waited for.
 */
export function cassetteAgent(cassette: Cassette, options: CassetteAgentOptions): Agent {
	return {
		// Its prompts are read by nobody.
		handsIn: "file",
		call: async (call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> => {
			signal.throwIfAborted();
			const line = cassette.lines.get(lineKey(call));
			if (line === undefined) return missing(call);
			try {
				if (options.applyFiles) await applyFiles(call.cwd, line.files);
			} catch (error) {
				if (error instanceof Fault) return broken(error.message);
				throw error;
			}
			signal.throwIfAborted();
			return outcomeOf(line);
		},
	};
}
