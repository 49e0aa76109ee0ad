import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitUntil } from "../../test/support/wait-until.ts";
import { shellChild } from "./bounded-child.fixture.ts";
import type { BoundedChild } from "./bounded-child.ts";
import { MARK_VARIABLE } from "./process-table.ts";

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	// Nobody may have asked for its end yet.
	return !/^State:\s+Z/m.test(
		existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "",
	);
}

/** Shell that goes on once the watchdog has killed the call, also where nobody has asked for its end yet. */
const UNTIL_KILLED = [
	"until [ -e checkout/called ]; do sleep 0.01; done; called=$(cat checkout/called)",
	"until ! kill -0 $called 2>/dev/null || grep -q '^State:.Z' /proc/$called/status 2>/dev/null; do sleep 0.01; done",
].join("; ");

const PATH = "/usr/bin:/bin";

const url = (file: string): string => JSON.stringify(new URL(file, import.meta.url));

/**
 * Kills a process while it has a call, what that left in its place without mark and parents, and three children, two of
 * them marked; the second of those ends 0.2 s after the call, well within the second it is given. Gives the pids.
 */
async function killed(
	directory: string,
): Promise<Record<"called" | "left" | "marked" | "unmarked", number>> {
	const says = (name: string): string => `echo "$$" > ${name}.new; mv ${name}.new ${name}`;
	const waits = (name: string): string =>
		`${says(name)}; until [ -e go ]; do sleep 0.05; done; echo done > ${name}.done`;
	const marked = { PATH, [MARK_VARIABLE]: "test" };
	const children: BoundedChild[] = [
		{ ...shellChild(waits("marked")), env: marked },
		{
			...shellChild(`echo > quick; ${UNTIL_KILLED}; sleep 0.2; echo done > quick.done`),
			env: marked,
		},
		shellChild(waits("unmarked")),
	];
	const place = join(directory, "checkout");
	mkdirSync(place);
	const request = {
		command: [
			"sh",
			"-c",
			`env -i setsid sh -c '${says("left")}; exec sleep 600' & ${waits("called")}`,
		],
		cwd: place,
		env: { PATH },
		timeoutMs: 60_000,
		mark: `killed-${process.pid}/call`,
		places: [place],
	};
	const script = `
		const { runProcess } = await import(${url("./run-process.ts")});
		const { runBoundedChild } = await import(${url("./bounded-child.ts")});
		const children = ${JSON.stringify(children)}.map((child) => ({
			...child, cwd: ${JSON.stringify(directory)},
		}));
		await Promise.all([
			runProcess(${JSON.stringify(request)}, new AbortController().signal),
			...children.map((child) => runBoundedChild(child)),
		]);
	`;
	const served = spawn(process.execPath, ["--input-type=module", "-e", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	try {
		const names = ["checkout/called", "checkout/left", "marked", "unmarked"];
		const files = [...names, "quick"].map((name) => join(directory, name));
		await waitUntil("the children run", () => files.every(existsSync));
		const [called = 0, left = 0, mark = 0, unmarked = 0] = files.map((file) =>
			Number(readFileSync(file, "utf8")),
		);
		expect([called, left, mark, unmarked].every(isAlive)).toBe(true);
		return { called, left, marked: mark, unmarked };
	} finally {
		served.kill("SIGKILL");
	}
}

test.runIf(process.platform === "linux")(
	"when the process dies, its calls end with what they left, and soon what carries a run's mark; the rest goes on",
	async () => {
		const directory = mkdtempSync(join(tmpdir(), "spar-watchdog-"));
		try {
			const { called, left, marked, unmarked } = await killed(directory);
			await waitUntil("what is a run's has ended", () => ![called, left, marked].some(isAlive));
			expect(isAlive(unmarked)).toBe(true);
			// A git that is in the middle of its work is not asked to end: it might leave a lock.
			expect(existsSync(join(directory, "quick.done"))).toBe(true);
			// A merge into the user's own work tree is such a one.
			writeFileSync(join(directory, "go"), "");
			await waitUntil("all have ended", () => !isAlive(unmarked));
			expect(existsSync(join(directory, "unmarked.done"))).toBe(true);
			for (const name of ["marked", "checkout/called"])
				expect(existsSync(join(directory, `${name}.done`))).toBe(false);
		} finally {
			rmSync(directory, { recursive: true });
		}
	},
);
