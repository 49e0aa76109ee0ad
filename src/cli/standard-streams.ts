// `spar trace x | head`, a closed terminal.
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

export type Writing = Pick<NodeJS.Process, "exitCode"> &
	Readonly<Record<"stderr" | "stdout", NodeJS.WriteStream>>;

// Once its reader has gone away, or after a failure, what is written is dropped.
export interface StandardStream {
	readonly stream: NodeJS.WriteStream;
	readonly write: (content: string | Buffer) => void;
}

function standardStream(
	stream: NodeJS.WriteStream,
	onFailure: (error: NodeJS.ErrnoException) => void,
): StandardStream {
	let isClosed = false;
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (!isClosed && !READER_GONE.has(error.code ?? "")) onFailure(error);
		isClosed = true;
	});
	return {
		stream,
		write: (content) => {
			if (!isClosed) stream.write(content);
		},
	};
}

// When a reader goes away the command goes on: a run must still save its state. Any other failure, such as a full
// disk, makes the exit code 2.
export function standardStreams(
	host: Writing,
): Readonly<Record<"stdout" | "stderr", StandardStream>> {
	const fail = (): void => {
		host.exitCode = 2;
	};
	const stderr = standardStream(host.stderr, fail);
	const stdout = standardStream(host.stdout, ({ message }) => {
		fail();
		stderr.write(`error: cannot write to standard output: ${message}\n`);
	});
	return { stdout, stderr };
}

export const columnsOf = ({ columns }: { readonly columns: number }): number =>
	columns > 0 ? columns : 80;
