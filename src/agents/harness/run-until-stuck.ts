import type { ProcessHost, ProcessRequest, ProcessResult } from "../../process/process.ts";
import type { HarnessReader } from "./harness.ts";
import { JsonLines } from "./json-lines.ts";

/**
 * Runs a harness with its events going to `reader`, and ends it as soon as that calls it stuck. What a stuck program
 * printed is not kept: it is the same few lines over and over.
 *
 * @throws the signal's reason, as `ProcessHost.run` does
 */
export async function runUntilStuck(
	host: ProcessHost,
	request: ProcessRequest,
	{ reader, signal }: { readonly reader: HarnessReader; readonly signal: AbortSignal },
): Promise<ProcessResult> {
	const stop = new AbortController();
	const lines = new JsonLines((event) => {
		reader.read(event);
		if (reader.stuck?.() === true) stop.abort();
	});
	const onStdout = (text: string): void => lines.add(text);
	const startedAt = Date.now();
	try {
		const either = AbortSignal.any([signal, stop.signal]);
		const result = await host.run({ ...request, onStdout }, either);
		lines.end();
		return result;
	} catch (error) {
		if (signal.aborted || !stop.signal.aborted) throw error;
		return {
			exitCode: null,
			signal: "SIGKILL",
			timedOut: false,
			started: true,
			startError: null,
			stdout: "",
			stderr: "",
			output: "",
			startedAt,
			ms: Date.now() - startedAt,
		};
	}
}
