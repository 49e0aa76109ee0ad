import { fstatSync, writeSync } from "node:fs";

/** Errors of a stream whose reader has gone away: `spar trace x | head`, a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** The parts of a process whose output may fail. */
export type Writing = Pick<NodeJS.Process, "exitCode" | "stderr" | "stdout">;

/** How much is written without a stream, in bytes: what an empty pipe takes at once, whoever reads it (`PIPE_BUF` of Linux). */
const MOST_DIRECT = 4_096;

/** How a standard stream is reached. */
interface StreamSource {
	/** Opens it. */
	readonly open: () => NodeJS.WriteStream;
	/**
	 * Its number, for a process that may wait for the reader of a pipe that others have filled, since it does nothing else and
	 * handles no signals. Undefined: all goes through the stream.
	 */
	readonly fd: number | undefined;
	/** Called for a failure other than that the reader has gone away. */
	readonly onFailure: (error: NodeJS.ErrnoException) => void;
}

/**
 * A standard stream that is opened when it is first needed, which takes some milliseconds: many commands use only one, and the
 * first few kilobytes to a pipe need none.
 */
export class LateStream {
	readonly #source: StreamSource;
	#opened: NodeJS.WriteStream | undefined;
	#isClosed = false;
	#isPipe: boolean | undefined;
	#room = MOST_DIRECT;

	constructor(source: StreamSource) {
		this.#source = source;
	}

	/** The stream itself, which is opened. */
	get stream(): NodeJS.WriteStream {
		this.#opened ??= this.#source.open().on("error", (error: NodeJS.ErrnoException) => {
			this.#fail(error);
		});
		return this.#opened;
	}

	get isTTY(): boolean {
		// Missing at run time where the stream is no terminal, as its size is.
		return !this.#isUnopenedPipe && Boolean(this.stream.isTTY);
	}

	/** Width of a terminal; 80 where it is not known, as in a pipe. */
	get columns(): number {
		return this.#isUnopenedPipe ? 80 : columnsOf(this.stream);
	}

	/** Writes. Once the reader has gone away, or after a failure, the text is dropped. */
	write(content: string | Buffer): void {
		if (this.#isClosed) return;
		const rest = this.#isUnopenedPipe ? this.#writtenDirectly(Buffer.from(content)) : content;
		if (rest.length > 0) this.stream.write(rest);
	}

	get #isUnopenedPipe(): boolean {
		const { fd } = this.#source;
		this.#isPipe ??= fd !== undefined && isPipe(fd);
		return this.#isPipe && this.#opened === undefined;
	}

	/** Gives what is left to the stream: all that might have to wait for the reader. */
	#writtenDirectly(bytes: Buffer): Buffer {
		const { fd } = this.#source;
		if (fd === undefined || bytes.length > this.#room) return bytes;
		try {
			const written = writeSync(fd, bytes);
			this.#room -= written;
			return bytes.subarray(written);
		} catch (error) {
			const failure = error as NodeJS.ErrnoException; // `writeSync` throws system errors only.
			if (failure.code === "EAGAIN") return bytes;
			this.#fail(failure);
			return Buffer.alloc(0);
		}
	}

	#fail(error: NodeJS.ErrnoException): void {
		if (!this.#isClosed && !READER_GONE.has(error.code ?? "")) this.#source.onFailure(error);
		this.#isClosed = true;
	}
}

function isPipe(fd: number): boolean {
	const status = fstatSync(fd);
	return status.isFIFO() || status.isSocket();
}

/** Whether a command line only prints what is there, and then ends. */
const onlyPrints = ([first = "", ...more]: readonly string[]): boolean =>
	["status", "help", "--help", "-h"].includes(first) && !more.includes("--watch");

/**
 * The standard streams, which fail without an exception. When the reader of one goes away, later text is dropped and the command
 * goes on: a run must still save its state. Any other failure, such as a full disk, makes the exit code 2.
 */
export function standardStreams(host: Writing): Readonly<Record<"stdout" | "stderr", LateStream>> {
	const fail = (): void => {
		host.exitCode = 2;
	};
	const isDirect = host === process && onlyPrints(process.argv.slice(2));
	const stderr = new LateStream({
		open: () => host.stderr,
		fd: isDirect ? 2 : undefined,
		onFailure: fail,
	});
	const stdout = new LateStream({
		open: () => host.stdout,
		fd: isDirect ? 1 : undefined,
		onFailure: ({ message }) => {
			fail();
			stderr.write(`error: cannot write to standard output: ${message}\n`);
		},
	});
	return { stdout, stderr };
}

/** Width of a terminal; 80 where it is not known, as in a pipe. */
export const columnsOf = ({ columns }: { readonly columns: number }): number =>
	columns > 0 ? columns : 80;
