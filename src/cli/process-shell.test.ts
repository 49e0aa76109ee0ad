import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { standardStreams, type Writing } from "./process-shell.ts";

/** A stream on which every write fails with an error of the system. */
function failing(code: string): NodeJS.WriteStream {
	const stream = new Writable({
		write: (_chunk, _encoding, done) => done(Object.assign(new Error(`it said ${code}`), { code })),
	});
	// A stream has all that is used of the real ones.
	return stream as unknown as NodeJS.WriteStream;
}

/** A stream that keeps what is written. */
function keeping(): { readonly stream: NodeJS.WriteStream; readonly written: string[] } {
	const written: string[] = [];
	const stream = new Writable({
		write: (chunk, _encoding, done) => {
			written.push(String(chunk));
			done();
		},
	});
	return { stream: stream as unknown as NodeJS.WriteStream, written };
}

test.each([
	["EPIPE", undefined, []],
	["ENOSPC", 2, ["error: cannot write to standard output: it said ENOSPC\n"]],
])(
	"standard output that fails with %s gives the exit code %s, and is told of once",
	async (code, exitCode, told) => {
		const err = keeping();
		const host: Writing = { exitCode: undefined, stderr: err.stream, stdout: failing(code) };
		const { stdout } = standardStreams(host);
		for (const line of ["a", "b"]) {
			stdout.write(line);
			await new Promise(setImmediate);
		}
		expect([host.exitCode, err.written]).toEqual([exitCode, told]);
	},
);
