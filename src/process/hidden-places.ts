import { dirname, isAbsolute, join, sep } from "node:path";
import type { EnvironmentSource } from "./environment.ts";

/** Tells whether a path is a place or below it; both absolute. */
export function isIn(path: string, place: string): boolean {
	return path === place || path.startsWith(join(place, sep));
}

const CREDENTIALS: readonly string[] = [
	".ssh",
	".gnupg",
	".password-store",
	".local/share/keyrings",
	".netrc",
	".git-credentials",
	".config/git/credentials",
	".config/gh",
	".config/glab-cli",
	".config/hub",
	".aws",
	".azure",
	".kube",
	".docker",
	".config/gcloud",
	".config/doctl",
	".terraform.d",
	".pypirc",
	".cargo/credentials.toml",
	".cargo/credentials",
	".gem/credentials",
	".vault-token",
	".pi",
	".mozilla",
	".config/google-chrome",
	".config/chromium",
];

/**
 * Well-known credentials in the home directory, which a confined process cannot read. The list is not complete; the
 * stores of coding agents come from their adapters. `.npmrc` stays readable, since installations need it.
 */
export function hiddenPlaces(home: string | undefined): readonly string[] {
	return home === undefined || home === "" ? [] : CREDENTIALS.map((place) => join(home, place));
}

// Through these a process can start programs outside of the sandbox.
const SYSTEM: readonly string[] = [
	"/run/docker.sock",
	"/var/run/docker.sock",
	"/run/docker",
	"/run/containerd",
	"/run/podman",
	"/run/crio",
	"/run/k3s",
	"/run/buildkit",
	"/run/libvirt",
	"/run/lxd",
	"/run/incus",
	"/var/lib/lxd",
	"/var/lib/incus",
	"/var/snap/lxd/common/lxd",
	"/run/snapd.socket",
	"/run/dbus",
	"/var/run/dbus",
	"/run/systemd/private",
	"/run/screen",
	"/var/run/screen",
	"/tmp/.X11-unix",
	"/tmp/.ICE-unix",
];

const PERSONAL: readonly string[] = [".colima", ".lima", ".orbstack/run", ".rd", ".screen"];

// In these only the socket itself is hidden.
const SHARED: readonly string[] = [
	"/",
	"/tmp",
	"/var/tmp",
	"/private/tmp",
	"/run",
	"/var/run",
	"/dev/shm",
];

/**
 * Usual paths of Unix sockets through which a process can start programs outside of the sandbox. The list is not
 * complete, and does not cover sockets in the abstract namespace. For user 1000 `/run/user/1000` is one.
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

const NAMED: readonly (readonly [string, RegExp])[] = [
	["SSH_AUTH_SOCK", /^(.+)$/],
	// The socket, the process and the session, with commas between.
	["TMUX", /^([^,]+)/],
	["DOCKER_HOST", /^unix:\/\/(.+)$/],
	["CONTAINER_HOST", /^unix:\/\/(.+)$/],
	["DBUS_SESSION_BUS_ADDRESS", /\bunix:(?:[^;]*,)?path=([^,;]+)/],
];

/**
 * Sockets of services that variables of the user's session name. Gives the socket's directory, since a restarted
 * service creates a new socket there, or only the socket if the directory is shared, such as `/tmp` or the home
 * directory.
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
