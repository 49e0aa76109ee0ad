import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { quote } from "./launch-script.ts";

// Places that container runtimes hide, by the default profile of the OCI: what tells of the whole machine.
const MASKED: readonly string[] = [
	"/proc/acpi",
	"/proc/asound",
	"/proc/interrupts",
	"/proc/kcore",
	"/proc/keys",
	"/proc/latency_stats",
	"/proc/sched_debug",
	"/proc/scsi",
	"/proc/timer_list",
	"/proc/timer_stats",
	"/sys/firmware",
	"/sys/devices/virtual/powercap",
];

const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

// By root: no process's folder, no link into one's own, and nothing that is read-only anyway.
function isWritable(path: string): boolean {
	const found = lookAt(path);
	if (found === undefined || found.isSymbolicLink()) return false;
	return found.isDirectory() ? !/\/\d+$/.test(path) : (found.mode & 0o222) !== 0;
}

function masking(path: string): string[] {
	const found = lookAt(path);
	if (found === undefined) return [];
	return found.isDirectory()
		? ["--tmpfs", path, "--remount-ro", path]
		: ["--ro-bind", "/dev/null", path];
}

/**
 * Arguments of `bwrap` that make everything of `/proc` read-only that belongs to no process, and hide what containers
 * hide. For root only: files there are root's own, so that no right stops it in a namespace; other users' calls get a
 * new `/proc` later, which the kernel refuses beside hidden places.
 */
export function kernelGuards(): readonly string[] {
	const entries = readdirSync("/proc").map((name) => join("/proc", name));
	return [
		...entries.filter(isWritable).flatMap((path) => ["--ro-bind-try", path, path]),
		...MASKED.flatMap(masking),
	];
}

// The runtime's last mount stands there as bare words, which occur in no quoted path.
const LAST_MOUNT = " --proc /proc ";

/**
 * Adds to a command line of `bwrap` what the runtime has no setting for: its own System V objects, guards of `/proc`,
 * and closed places that refuse writes instead of forgetting them.
 *
 * @throws Error when the command is not what this version of the runtime makes
 */
export function hardenCommand(
	command: string,
	{ closed, guards }: { readonly closed: readonly string[]; readonly guards: readonly string[] },
): string {
	const at = command.indexOf(LAST_MOUNT);
	if (at < 0) throw new Error("the runtime gave a command without a mount of /proc");
	const added = [...guards, ...closed.flatMap((path) => ["--remount-ro", path]), "--unshare-ipc"];
	const end = at + LAST_MOUNT.length;
	return `${command.slice(0, end)}${added.map(quote).join(" ")} ${command.slice(end)}`;
}
