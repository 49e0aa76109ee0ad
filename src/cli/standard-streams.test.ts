import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	closeSync,
	constants,
	mkdtempSync,
	openSync,
	readFileSync,
	rmSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { LateStream } from "./standard-streams.ts";

const MODULE = JSON.stringify(new URL("standard-streams.ts", import.meta.url));

/** A program that writes as a command does, and tells on standard error which of its streams it has opened. */
const writing = (lines: string, command: readonly string[] = ["status"]): string[] => [
	"--input-type=module",
	"-e",
	`import { standardStreams } from ${MODULE};
	const opened = [];
	for (const name of ["stdout", "stderr"]) {
		const { get } = Object.getOwnPropertyDescriptor(process, name);
		Object.defineProperty(process, name, { get: () => { opened.push(name); return get.call(process); } });
	}
	const { stdout, stderr } = standardStreams(process);
	${lines}
	stderr.write("opened: " + opened.join());`,
	"spar",
	...command,
];

const LONG = "x".repeat(3_000);

test("the first kilobytes to a pipe open no stream, and more follow in their order", () => {
	const run = (lines: string) =>
		spawnSync(process.execPath, writing(lines), { encoding: "utf8", stdio: "pipe" });
	const short = run('stdout.write("a\\n"); stdout.write(Buffer.from("b\\n"));');
	expect([short.stdout, short.stderr, short.status]).toEqual(["a\nb\n", "opened: ", 0]);
	const long = run(`for (const name of "abc") stdout.write(name + "${LONG}"); stdout.write("d");`);
	expect(long.stdout).toBe(`a${LONG}b${LONG}c${LONG}d`);
	expect(long.stderr).toBe("opened: stdout");
	const asked = run("stdout.write([stdout.isTTY, stdout.columns].join());");
	expect([asked.stdout, asked.stderr]).toEqual(["false,80", "opened: "]);
});

test.each(["run", "status --watch", "land status", ""])(
	"spar %s, which may have other things to do than to wait for a reader, writes by its streams",
	(words) => {
		const lines = writing('stdout.write("a");', words.split(" "));
		const { stderr } = spawnSync(process.execPath, lines, { encoding: "utf8" });
		expect(stderr).toBe("opened: stdout");
	},
);

test("a file is written by its stream", () => {
	const folder = mkdtempSync(join(tmpdir(), "spar-streams-"));
	try {
		const fd = openSync(join(folder, "out"), "w");
		const { stderr } = spawnSync(process.execPath, writing('stdout.write("a\\n");'), {
			encoding: "utf8",
			stdio: ["ignore", fd, "pipe"],
		});
		closeSync(fd);
		expect(readFileSync(join(folder, "out"), "utf8")).toBe("a\n");
		expect(stderr).toBe("opened: stdout");
	} finally {
		rmSync(folder, { recursive: true });
	}
});

/** Waits for a word on standard input. */
const WAIT = 'await new Promise((go) => process.stdin.once("data", go));';

test("a pipe whose reader has gone drops the text, and that is no failure", async () => {
	const child = spawn(
		process.execPath,
		writing(`${WAIT} for (const line of ["a", "b"]) stdout.write(line);`),
	);
	child.stdout.destroy();
	await once(child.stdout, "close");
	child.stdin.end("go");
	const [said, ended] = await Promise.all([text(child.stderr), once(child, "close")]);
	expect([said, ended]).toEqual(["opened: ", [0, null]]);
});

/** A stream with a number, which may be opened as one that keeps what is written, and what became of it. */
function lateStream(fd: number) {
	const written: string[] = [];
	const failures: string[] = [];
	const opened = new Writable({
		write: (chunk, _encoding, done) => {
			written.push(String(chunk));
			done();
		},
	});
	// A stream has all that is used of the real ones.
	const open = () => opened as unknown as NodeJS.WriteStream;
	const onFailure = ({ code }: NodeJS.ErrnoException): void => void failures.push(code ?? "");
	return { stream: new LateStream({ fd, open, onFailure }), written, failures };
}

/** Makes a pipe, and opens it with the given flags of `open`. */
function pipe(flags: number): { readonly fd: number; readonly close: () => void } {
	const folder = mkdtempSync(join(tmpdir(), "spar-streams-"));
	const path = join(folder, "pipe");
	execFileSync("mkfifo", [path]);
	const fd = openSync(path, flags | constants.O_NONBLOCK);
	return {
		fd,
		close: () => {
			closeSync(fd);
			rmSync(folder, { recursive: true });
		},
	};
}

test("a full pipe that does not wait is left to the stream, with all that follows", () => {
	const { fd, close } = pipe(constants.O_RDWR);
	try {
		for (const content of [LONG, "x"]) {
			expect(() => {
				for (;;) writeSync(fd, content);
			}).toThrow("EAGAIN");
		}
		const { stream, written, failures } = lateStream(fd);
		for (const line of ["a", "b"]) stream.write(line);
		expect([written, failures]).toEqual([["a", "b"], []]);
	} finally {
		close();
	}
});

test("a failure is told once, and what follows is dropped", () => {
	const { fd, close } = pipe(constants.O_RDONLY);
	try {
		const { stream, written, failures } = lateStream(fd);
		for (const line of ["a", "b"]) stream.write(line);
		expect([written, failures]).toEqual([[], ["EBADF"]]);
	} finally {
		close();
	}
});
