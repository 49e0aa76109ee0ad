/** Errors of a stream whose reader has gone away: `spar trace x | head`, a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** The parts of a process whose output may fail. */
export type Writing = Pick<NodeJS.Process, "exitCode" | "stderr" | "stdout">;

/**
 * Lets a standard stream fail without an exception. When its reader goes away, later text is dropped and the command goes on:
 * a run must still save its state. Any other failure, such as a full disk, makes the exit code 2.
 *
 * @returns whether the stream can still be written
 */
export function watchedStream(host: Writing, name: "stdout" | "stderr"): () => boolean {
	let open = true;
	host[name].on("error", (error: NodeJS.ErrnoException) => {
		if (open && !READER_GONE.has(error.code ?? "")) {
			host.exitCode = 2;
			if (name === "stdout") {
				host.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
			}
		}
		open = false;
	});
	return () => open;
}

/** Width of a terminal; 80 where it is not known, as in a pipe. */
export const columnsOf = ({ columns }: { readonly columns: number }): number =>
	columns > 0 ? columns : 80;
