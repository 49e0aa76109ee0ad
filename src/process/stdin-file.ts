import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Opens a text for a child's standard input: a file without a name, readable by nobody else.
 *
 * Not a pipe of Node, which is a socket: `bash -c` takes a socket for a remote shell and runs the user's `.bashrc`,
 * and a program cannot open `/dev/stdin` when it is one. A file also waits for no reader.
 *
 * @returns a file descriptor, to be closed by the caller
 */
export function openStdin(text: string): number {
	const path = join(tmpdir(), `spar-stdin-${randomUUID()}`);
	try {
		writeFileSync(path, text, { flag: "wx", mode: 0o600 });
		return openSync(path, "r");
	} finally {
		// Forced: where the file could not be made, that error is the one to tell.
		rmSync(path, { force: true });
	}
}
