import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { countAt, fieldAt, jsonIn } from "../../kernel/fields.ts";
import type { ProcessHost, ProcessResult } from "../../process/process.ts";
import type {
	Agent,
	AgentAnswer,
	AgentBreakdown,
	AgentCall,
	AgentOutcome,
	Usage,
} from "../agent.ts";
import { readReport } from "../call-files.ts";
import { MAY_TALK } from "../final-report.ts";
import { howEnded, unended } from "../harness/program-end.ts";
import { lastJsonObject } from "../json-text.ts";
import { protocolEnvironment } from "../protocol-env.ts";
import { lastLines } from "../quote.ts";

// A path with a slash is the checkout's file if there is one, as for the shell that stands in the checkout; otherwise
// it is meant from where Sparring was started.
function programPath(program: string, checkout: string): string {
	if (isAbsolute(program) || !/[\\/]/.test(program)) return program;
	const inside = join(checkout, program);
	return existsSync(inside) ? inside : resolve(program);
}

function breakdown(
	program: string,
	timeoutMs: number,
	result: ProcessResult,
): AgentBreakdown | null {
	const said = result.started ? lastLines(result.output) : "";
	const because = said === "" ? "" : `: ${said}`;
	const broken = unended(program, result, timeoutMs);
	if (broken !== null) return { ...broken, message: `${broken.message}${because}` };
	if (result.exitCode === 0) return null;
	const message = `${program} ${howEnded(result)}${because}`;
	const { output, ms } = result;
	return { kind: "failed", failure: "tool_error", message, output, ms };
}

async function handedIn(
	call: AgentCall,
	result: ProcessResult,
): Promise<Pick<AgentAnswer, "report" | "reportProblem" | "output">> {
	const { text, problem } = await readReport(call.reportPath);
	const output = problem === null ? result.output : `${result.output}\n[spar] ${problem}\n`;
	const printed = MAY_TALK.has(call.role) ? lastJsonObject(result.stdout) : null;
	const report = text ?? printed;
	const said = MAY_TALK.has(call.role) ? "" : lastLines(result.output);
	const reportProblem =
		problem ?? (said === "" ? null : `no report was handed in; last output: ${said}`);
	if (report !== null || reportProblem === null) return { report, output };
	return { report, reportProblem, output };
}

/**
 * An agent that is any program: prompt on standard input, the checkout as working directory, `SPAR_*` variables.
 * Another exit code than 0 or a signal is `tool_error`, a timeout is `timeout`, and a program that cannot be started is
 * `unknown`. The report is the file at `SPAR_REPORT`; player and planner may print it instead, after
 * no other brace or from the beginning of a line.
 */
export function commandAgent(options: {
	/** Program and arguments; no shell. */
	readonly run: readonly [string, ...string[]];
	/** Variables that the workflow's `env` names for this agent, with their values. */
	readonly env: Readonly<Record<string, string>>;
	readonly host: ProcessHost;
}): Agent {
	const [program, ...args] = options.run;
	return {
		handsIn: "file",
		call: async (call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> => {
			const command = [programPath(program, call.cwd), ...args] as const;
			const result = await options.host.run(
				{
					command,
					cwd: call.cwd,
					env: {
						...call.env,
						...options.env,
						...protocolEnvironment(call),
						TMPDIR: call.tmpDir,
					},
					stdin: call.prompt,
					timeoutMs: call.timeoutMs,
					mark: call.mark,
					onOutput: call.onOutput,
					places: [call.cwd, call.workDir],
					// A judge may have to build before it can test; its checkout is thrown away when that changed it.
					writable: [call.cwd, dirname(call.reportPath), call.tmpDir],
					named: [...command, ...Object.values(options.env)],
				},
				signal,
			);
			const failed = breakdown(basename(program), call.timeoutMs, result);
			if (failed !== null) return failed;
			const answer = await handedIn(call, result);
			const usage = reportedUsage(answer.report);
			return { kind: "answered", ...answer, ms: result.ms, usage };
		},
	};
}

/**
 * Reads the call's use from a program's report: `usage: { cost_usd, input_tokens, output_tokens }`, each of which may
 * be missing. It is believed: nobody else knows.
 */
export function reportedUsage(report: string | null): Usage | null {
	const said = fieldAt(jsonIn(report ?? ""), "usage");
	const usage: Usage = {
		costUsd: countAt(said, "cost_usd"),
		inputTokens: countAt(said, "input_tokens"),
		outputTokens: countAt(said, "output_tokens"),
		model: null,
	};
	return Object.values(usage).every((value) => value === null) ? null : usage;
}
