import type { Agent } from "../../agents/agent.ts";
import type { Blobs } from "../../kernel/blobs.ts";
import type { Masker } from "../../kernel/masking.ts";
import { transcriptName } from "../../loop/agent-call.ts";
import type { ProcessHost, ProcessRequest } from "../../process/process.ts";
import { outputFolder, transcriptFolder } from "../run-folders.ts";
import { LiveLog } from "./live-log.ts";

/** The agent, whose transcript stands in its file from the first byte on. */
export function loggedAgent(agent: Agent, blobs: Blobs, masker: Masker): Agent {
	return {
		handsIn: agent.handsIn,
		call: async (call, signal) => {
			const folder = transcriptFolder({ runId: call.run, taskId: call.task });
			const log = new LiveLog(blobs, `${folder}/${transcriptName(call)}`, masker);
			const onOutput = (text: string): void => {
				log.add(text);
				call.onOutput?.(text);
			};
			try {
				return await agent.call({ ...call, onOutput }, signal);
			} finally {
				await log.end();
			}
		},
	};
}

const SETUP = "setup";

/**
 * File for what a check or a setup prints, by the mark of its processes: `RUN:TASK:TURN:PURPOSE:ATTEMPT:CHECK` or
 * `RUN:TASK:setup:CHECKOUT`. Of a check it is the file in which its output is kept.
 *
 * @returns relative to the folder of the task's outputs; null for a process of another kind
 */
export function outputName(mark: string): string | null {
	const [, , turn, purpose, attempt, ...name] = mark.split(":");
	if (turn === SETUP) return purpose === undefined ? null : `setup-${purpose}.log`;
	if (name.length === 0) return null;
	const check = name.join(":");
	return `turn-${turn}/${purpose}-${check}${attempt === "0" ? "" : `-${attempt}`}.log`;
}

const isSetup = ({ mark }: ProcessRequest): boolean => mark.split(":")[2] === SETUP;

/** The host, with what checks and setups print in their files from the first byte on. */
export function loggedHost(host: ProcessHost, blobs: Blobs, masker: Masker): ProcessHost {
	const keyOf = ({ mark }: ProcessRequest): string | null => {
		const [runId = "", taskId = ""] = mark.split(":");
		const name = outputName(mark);
		return name === null ? null : `${outputFolder({ runId, taskId })}/${name}`;
	};
	return {
		...host,
		run: async (request, signal) => {
			const key = keyOf(request);
			if (key === null) return await host.run(request, signal);
			// A setup has several commands, and one file.
			const heading = isSetup(request) ? `$ ${request.command.at(-1)}` : null;
			const log = new LiveLog(blobs, key, masker, heading);
			try {
				return await host.run({ ...request, onOutput: log.add }, signal);
			} finally {
				await log.end();
			}
		},
	};
}
