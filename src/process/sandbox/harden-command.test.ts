import { expect, test } from "vitest";
import { hardenCommand, kernelGuards } from "./harden-command.ts";

const COMMAND = "bwrap --ro-bind / / --unshare-user --proc /proc --unsetenv X -- /bin/sh -c 'true'";
const none = { closed: [], guards: [] };

test("what is added stands behind the runtime's last mount and before its program, quoted", () => {
	const closed = ["/home/u/my project"];
	expect(
		hardenCommand(COMMAND, { closed, guards: ["--ro-bind-try", "/proc/sys", "/proc/sys"] }),
	).toBe(
		"bwrap --ro-bind / / --unshare-user --proc /proc '--ro-bind-try' '/proc/sys' '/proc/sys' " +
			"'--remount-ro' '/home/u/my project' '--unshare-ipc' --unsetenv X -- /bin/sh -c 'true'",
	);
});

test("every call has System V objects of its own", () => {
	expect(hardenCommand(COMMAND, none)).toContain("'--unshare-ipc'");
});

test("a command without that mount is refused instead of run unguarded", () => {
	expect(() => hardenCommand("sandbox-exec -p profile sh", none)).toThrow(
		/without a mount of \/proc/,
	);
});

test.runIf(process.platform === "linux")(
	"root's calls get the kernel's settings read-only, and no process's folder",
	() => {
		const guards = kernelGuards();
		expect(guards.join(" ")).toContain("--ro-bind-try /proc/sys /proc/sys");
		expect(
			guards.filter((word) => /^\/proc\/(?:\d+|self|thread-self|net|mounts)$/.test(word)),
		).toEqual([]);
	},
);
