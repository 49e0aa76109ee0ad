/** Errors of a stream whose reader has gone away: `spar trace x | head`, a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** The parts of a process whose output may fail. */
export type Writing = Pick<NodeJS.Process, "exitCode" | "stderr" | "stdout">;

/** A standard stream that is opened when it is first used: it takes a millisecond or two, and many commands use only one. */
export interface LateStream {
	readonly stream: () => NodeJS.WriteStream;
	/** Whether it can still be written. */
	readonly isOpen: () => boolean;
}

function lateStream(
	open: () => NodeJS.WriteStream,
	onFailure: (error: NodeJS.ErrnoException) => void,
): LateStream {
	let [opened, isOpen]: [NodeJS.WriteStream | undefined, boolean] = [undefined, true];
	const stream = (): NodeJS.WriteStream => {
		if (opened !== undefined) return opened;
		opened = open();
		return opened.on("error", (error: NodeJS.ErrnoException) => {
			if (isOpen && !READER_GONE.has(error.code ?? "")) onFailure(error);
			isOpen = false;
		});
	};
	return {
		stream,
		isOpen: () => {
			stream();
			return isOpen;
		},
	};
}

/**
 * The standard streams, which fail without an exception. When the reader of one goes away, later text is dropped and the command
 * goes on: a run must still save its state. Any other failure, such as a full disk, makes the exit code 2.
 */
export function standardStreams(host: Writing): Readonly<Record<"stdout" | "stderr", LateStream>> {
	const fail = (): void => {
		host.exitCode = 2;
	};
	const stderr = lateStream(() => host.stderr, fail);
	const stdout = lateStream(
		() => host.stdout,
		({ message }) => {
			fail();
			stderr.stream().write(`error: cannot write to standard output: ${message}\n`);
		},
	);
	return { stdout, stderr };
}

/** Width of a terminal; 80 where it is not known, as in a pipe. */
export const columnsOf = ({ columns }: { readonly columns: number }): number =>
	columns > 0 ? columns : 80;
