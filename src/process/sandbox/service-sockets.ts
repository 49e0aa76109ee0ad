import { dirname, isAbsolute, join } from "node:path";
import type { EnvironmentSource } from "../environment.ts";
import { isIn } from "./real-places.ts";

/** Of container, machine and session services: whoever speaks to one starts programs outside of the sandbox. */
const SYSTEM: readonly string[] = [
	...["/run/docker.sock", "/var/run/docker.sock", "/run/docker", "/run/containerd", "/run/podman"],
	...["/run/crio", "/run/k3s", "/run/buildkit", "/run/libvirt", "/run/lxd", "/run/incus"],
	...["/var/lib/lxd", "/var/lib/incus", "/var/snap/lxd/common/lxd", "/run/snapd.socket"],
	...["/run/dbus", "/var/run/dbus", "/run/systemd/private", "/run/screen", "/var/run/screen"],
	...["/tmp/.X11-unix", "/tmp/.ICE-unix"],
];

/** Of virtual machines with containers, by their place below the home directory. */
const PERSONAL: readonly string[] = [".colima", ".lima", ".orbstack/run", ".rd", ".screen"];

/** Directories with so much else that only a socket in them is hidden. */
const SHARED: readonly string[] = [
	...["/", "/tmp", "/var/tmp", "/private/tmp", "/run", "/var/run", "/dev/shm"],
];

/**
 * Usual places of Unix sockets by which a process gets programs started outside of the sandbox: container daemons,
 * message buses, terminal multiplexers, the screen, and the directory for the user's sessions. A list, and no proof
 * that no other service listens; a socket in the abstract namespace is in none of them.
 *
 * @param env of `HOME` and `XDG_RUNTIME_DIR`
 * @param uid number of the user; undefined where users have none
 * @returns absolute paths, which need not exist; for user 1000 `/run/user/1000` is one
 */
export function serviceSockets(env: EnvironmentSource, uid: number | undefined): readonly string[] {
	const runtime = env["XDG_RUNTIME_DIR"] ?? "";
	const home = env["HOME"] ?? "";
	return [
		...SYSTEM,
		...(uid === undefined ? [] : [`/run/user/${uid}`, `/tmp/tmux-${uid}`]),
		...(isAbsolute(runtime) ? [runtime] : []),
		...(isAbsolute(home) ? PERSONAL.map((place) => join(home, place)) : []),
	];
}

/** Paths of sockets in the values of variables. */
const NAMED: readonly (readonly [string, RegExp])[] = [
	["SSH_AUTH_SOCK", /^(.+)$/],
	// The socket, the process and the session, with commas between.
	["TMUX", /^([^,]+)/],
	["DOCKER_HOST", /^unix:\/\/(.+)$/],
	["CONTAINER_HOST", /^unix:\/\/(.+)$/],
	["DBUS_SESSION_BUS_ADDRESS", /\bunix:(?:[^;]*,)?path=([^,;]+)/],
];

/**
 * Sockets of services that variables of the user's session name (`SSH_AUTH_SOCK`, `TMUX`, `DOCKER_HOST`,
 * `CONTAINER_HOST`, `DBUS_SESSION_BUS_ADDRESS`): the directory that such a socket lies in, since a service that starts
 * anew makes another one there; the socket alone when the directory also serves others, such as `/tmp` or the home
 * directory.
 *
 * @returns absolute paths; `/tmp/ssh-a` for `SSH_AUTH_SOCK=/tmp/ssh-a/agent.1`
 */
export function namedSockets(env: EnvironmentSource): readonly string[] {
	const home = env["HOME"] ?? "";
	return NAMED.flatMap(([name, pattern]) => {
		const socket = pattern.exec(env[name] ?? "")?.[1] ?? "";
		if (!isAbsolute(socket)) return [];
		const place = dirname(socket);
		const isShared = SHARED.includes(place) || (home !== "" && isIn(home, place));
		return [isShared ? socket : place];
	});
}
