import { expect, onTestFinished, test, vi } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { KeptChild, KeptRequest } from "./kept-children.ts";
import { type KeptChildren, keepChildren } from "./kept-children.ts";

/** Answers each line with the number of its process and the line, and what a line asks for. */
const SERVER = `while read -r verb word; do
	case "$verb" in
		die) echo "cannot: $word" >&2; exit "$word";;
		part) echo "$$ part"; kill -9 $$;;
		hang) trap '' TERM; while :; do sleep 60 & wait; done;;
		careful) trap 'exit 9' TERM; sleep 0.1; trap - TERM; echo "$$ careful";;
		much) head -c "$word" /dev/zero; echo "$$ much";;
		pieces) printf '%s ' "$$"; sleep 0.02; echo pieces;;
		*) echo "$$ $verb";;
	esac
done`;

function server(more: Partial<KeptChild> = {}): KeptChild {
	return {
		program: "sh",
		args: ["-c", SERVER],
		cwd: "/",
		env: { PATH: "/usr/bin:/bin" },
		timeoutMs: 60_000,
		graceMs: 50,
		signal: undefined,
		...more,
	};
}

/** A line, of which the answer is the last one. */
function line(input: string, maxBytes?: number): KeptRequest<string> {
	return {
		input: `${input}\n`,
		maxBytes,
		read: (bytes) =>
			bytes.at(-1) === 0x0a
				? { answer: bytes.toString("latin1") }
				: { used: 0, atLeast: bytes.length + 1 },
	};
}

function kept(maxAgeMs?: number): KeptChildren {
	const children = keepChildren(maxAgeMs);
	onTestFinished(() => children.end());
	return children;
}

/** The process that answered, and what it said. */
async function asked(
	children: KeptChildren,
	input: string,
	child: KeptChild = server(),
): Promise<readonly [pid: number, word: string]> {
	const told = await children.ask(child, line(input));
	if (!("answer" in told)) throw new Error(`it ended with ${told.end.exitCode}`);
	const [pid = "", word = ""] = told.answer.trim().split(" ");
	return [Number(pid), word];
}

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

test("one process answers all who ask, each with its own answer", async () => {
	const children = kept();
	const answers = await Promise.all(["a", "pieces", "b", "c"].map((word) => asked(children, word)));
	expect(answers.map(([, word]) => word)).toEqual(["a", "pieces", "b", "c"]);
	expect(new Set(answers.map(([pid]) => pid)).size).toBe(1);
});

test("a program of another folder or with other variables is another process", async () => {
	const children = kept();
	const [here] = await asked(children, "a");
	const [there] = await asked(children, "a", server({ cwd: "/usr" }));
	const [other] = await asked(children, "a", server({ env: { PATH: "/usr/bin:/bin", A: "1" } }));
	expect(new Set([here, there, other]).size).toBe(3);
});

test("one that ends instead of answering says how, and the next request starts another", async () => {
	const children = kept();
	const [first] = await asked(children, "a");
	const told = await children.ask(server(), line("die 3"));
	expect(told).toEqual({
		end: {
			exitCode: 3,
			stdout: Buffer.of(),
			stderr: "cannot: 3",
			truncated: false,
			timedOut: false,
		},
		bytesHeard: 0,
	});
	const [second, word] = await asked(children, "b");
	expect([second === first, word]).toEqual([false, "b"]);
});

test("one that was killed while nobody asked is replaced", async () => {
	const children = kept();
	const [first] = await asked(children, "a");
	process.kill(first, "SIGKILL");
	// Its end is told by an event, so that a request right after it may still meet it.
	await children.ask(server(), line("b"));
	const [second, word] = await asked(children, "c");
	expect([second === first, word]).toEqual([false, "c"]);
});

test("one that is killed before a request that changes nothing is replaced unseen", async () => {
	const children = kept();
	for (let round = 0; round < 5; round += 1) {
		const [pid] = await asked(children, "a");
		process.kill(pid, "SIGKILL");
		const told = await children.ask(server(), { ...line("b"), repeatable: true });
		expect("answer" in told ? told.answer : told.end).toMatch(/^\d+ b\n$/);
	}
});

test("a request of which a part was answered is not asked again", async () => {
	const children = kept();
	const [pid] = await asked(children, "a");
	const parts: string[] = [];
	const told = await children.ask(server(), {
		input: "part\n",
		repeatable: true,
		read: (bytes) => {
			parts.push(bytes.toString("latin1"));
			return { used: bytes.length, atLeast: 1 };
		},
	});
	expect(parts).toEqual([`${pid} part\n`]);
	expect(told).toMatchObject({ end: { exitCode: -1 }, bytesHeard: parts.join("").length });
});

test("an answer of many pieces is joined once, not again with each of them", async () => {
	const children = kept();
	const size = 20_000_000;
	let [seen, read] = [0, 0];
	const told = await children.ask(server(), {
		input: `much ${size}\n`,
		read: (bytes) => {
			seen += bytes.length;
			read += bytes.length - 1;
			return bytes.at(-1) === 0x0a ? { answer: read } : { used: bytes.length - 1, atLeast: 2 };
		},
	});
	expect("answer" in told).toBe(true);
	expect(read).toBeGreaterThan(size);
	expect(seen).toBeLessThan(size * 1.1);
});

test("an answer is not looked at again before as much of it has come as the last look asked for", async () => {
	const children = kept();
	const size = 5_000_000;
	const seen: number[] = [];
	const told = await children.ask(server(), {
		input: `much ${size}\n`,
		read: (bytes) => {
			seen.push(bytes.length);
			return bytes.at(-1) === 0x0a ? { answer: true } : { used: 0, atLeast: size };
		},
	});
	expect("answer" in told).toBe(true);
	expect(seen.slice(1).filter((length) => length < size)).toEqual([]);
});

test("one that closes its output and lives on has ended for whoever asks", async () => {
	const children = kept();
	const args = ["-c", "read -r line; exec 1>&-; sleep 60"];
	const told = await children.ask(server({ args }), line("a"));
	expect(told).toMatchObject({ end: { exitCode: -1, timedOut: false } });
});

test("in a hurry, one that does not answer is ended soon, whether it was asked before or after", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const children = kept();
	const hanging = children.ask(server(), line("hang"));
	await new Promise((resolve) => setImmediate(resolve));
	children.hurry();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(await hanging).toMatchObject({ end: { exitCode: -1 } });
	const later = children.ask(server(), line("hang"));
	await new Promise((resolve) => setImmediate(resolve));
	await vi.advanceTimersByTimeAsync(10_000);
	expect(await later).toMatchObject({ end: { exitCode: -1 } });
});

test("in a hurry, the time of a request begins with the request", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const children = kept();
	const [pid] = await asked(children, "a");
	children.hurry();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(await asked(children, "b")).toEqual([pid, "b"]);
	await vi.advanceTimersByTimeAsync(10_000);
	expect(await asked(children, "c")).toEqual([pid, "c"]);
});

test("a signal that aborts while the process before ends starts none", async () => {
	const children = kept();
	const first = new AbortController();
	const args = [
		"-c",
		"trap '' TERM; read -r line; echo $$ $line; while :; do sleep 60 & wait; done",
	];
	await asked(children, "a", server({ args, signal: first.signal }));
	const second = new AbortController();
	const asking = children.ask(server({ args, signal: second.signal }), line("b"));
	await new Promise((resolve) => setImmediate(resolve));
	second.abort(new Error("cancelled"));
	await expect(asking).rejects.toThrow("cancelled");
});

test("a request of another signal is answered by a process that this signal ends", async () => {
	const children = kept();
	const first = new AbortController();
	const [old] = await asked(children, "a", server({ signal: first.signal }));
	const second = new AbortController();
	const [fresh] = await asked(children, "a", server({ signal: second.signal }));
	expect(fresh).not.toBe(old);
	first.abort(new Error("ended"));
	expect((await asked(children, "b", server({ signal: second.signal })))[0]).toBe(fresh);
});

test("an answer that is too long ends the process", async () => {
	const children = kept();
	const told = await children.ask(server(), line("much 100000", 1_000));
	expect(told).toMatchObject({ end: { truncated: true, timedOut: false } });
	expect((await asked(children, "a"))[1]).toBe("a");
});

test("one that hangs is ended at its timeout, even if it ignores SIGTERM", async () => {
	const children = kept();
	const told = await children.ask(server({ timeoutMs: 100 }), line("hang"));
	expect(told).toMatchObject({ end: { exitCode: -1, timedOut: true } });
	expect((await asked(children, "a"))[1]).toBe("a");
});

test("an aborted signal ends a process that answers, one that waits, and starts no new one", async () => {
	const children = kept();
	const controller = new AbortController();
	const { signal } = controller;
	const [pid] = await asked(children, "a", server({ signal, cwd: "/usr" }));
	const answering = children.ask(server({ signal }), line("hang"));
	const later = children.ask(server({ signal }), line("b"));
	controller.abort(new Error("cancelled"));
	await expect(answering).rejects.toThrow("cancelled");
	await expect(later).rejects.toThrow("cancelled");
	await children.end();
	expect(isAlive(pid)).toBe(false);
});

thorough(
	"an aborted signal leaves a process time to finish its answer, and then ends it",
	async () => {
		const children = kept();
		const controller = new AbortController();
		const answering = asked(children, "careful", server({ signal: controller.signal }));
		await new Promise((resolve) => setImmediate(resolve));
		controller.abort(new Error("cancelled"));
		const [pid, word] = await answering;
		expect(word).toBe("careful");
		await waitUntil("it has ended", () => !isAlive(pid));
	},
);

test("one that does not end when it is told to is ended by signals", async () => {
	const children = keepChildren();
	const args = [
		"-c",
		"trap '' TERM; read -r line; echo $$ $line; while :; do sleep 60 & wait; done",
	];
	const [pid] = await asked(children, "a", server({ args }));
	await children.end();
	expect(isAlive(pid)).toBe(false);
});

test("a missing program is an error with the system's code, each time", async () => {
	const children = kept();
	for (const word of ["a", "b"]) {
		await expect(
			children.ask(server({ program: "no-such-program" }), line(word)),
		).rejects.toMatchObject({ code: "ENOENT" });
	}
});

test("an answer that cannot be read is thrown, and its process answers nobody else", async () => {
	const children = kept();
	const [first] = await asked(children, "a");
	const unreadable = {
		input: "b\n",
		read: () => {
			throw new Error("what is that?");
		},
	};
	await expect(children.ask(server(), unreadable)).rejects.toThrow("what is that?");
	expect((await asked(children, "c"))[0]).not.toBe(first);
});

test("a process is replaced when it is old, between two requests", async () => {
	const children = kept(0);
	const pids = new Set<number>();
	while (pids.size < 2) pids.add((await asked(children, "pieces"))[0]);
	expect(pids.size).toBe(2);
});

test("after the end no process is left, also where somebody still asks", async () => {
	const children = keepChildren();
	const [first] = await asked(children, "a");
	const last = asked(children, "pieces");
	await children.end();
	const [asking] = await last;
	const [late, word] = await asked(children, "late");
	expect([first, asking, late].map(isAlive)).toEqual([false, false, false]);
	expect(word).toBe("late");
});
