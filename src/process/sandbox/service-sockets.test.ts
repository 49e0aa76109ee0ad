import { expect, test } from "vitest";
import { namedSockets, serviceSockets } from "../hidden-places.ts";

test("daemons, buses and the directories of the user's sessions are known", () => {
	const places = serviceSockets({ HOME: "/home/me", XDG_RUNTIME_DIR: "/elsewhere" }, 1000);
	expect(places).toEqual(
		expect.arrayContaining([
			"/run/docker.sock",
			"/var/run/docker.sock",
			"/run/containerd",
			"/run/podman",
			"/run/dbus",
			"/run/user/1000",
			"/tmp/tmux-1000",
			"/elsewhere",
			"/home/me/.colima",
		]),
	);
});

test("what the environment does not name, or only as relative, adds nothing", () => {
	const places = serviceSockets({ XDG_RUNTIME_DIR: "here", HOME: "" }, undefined);
	expect(places.filter((place) => !/^\/(run|var|tmp)\//.test(place))).toEqual([]);
	expect(
		namedSockets({ SSH_AUTH_SOCK: "here", DOCKER_HOST: "tcp://127.0.0.1:1", TMUX: "" }),
	).toEqual([]);
});

test("a socket that a variable names is hidden with its directory", () => {
	expect(
		namedSockets({
			SSH_AUTH_SOCK: "/tmp/ssh-a/agent.1",
			TMUX: "/tmp/tmux-1/default,12,0",
			DOCKER_HOST: "unix:///srv/docker/d.sock",
			DBUS_SESSION_BUS_ADDRESS: "unix:guid=1,path=/run/bus/b;unix:abstract=c",
		}),
	).toEqual(["/tmp/ssh-a", "/tmp/tmux-1", "/srv/docker", "/run/bus"]);
});

test("where the directory also serves others the socket alone is hidden", () => {
	for (const socket of ["/tmp/agent", "/run/agent", "/home/me/agent", "/home/agent"]) {
		expect(namedSockets({ HOME: "/home/me", SSH_AUTH_SOCK: socket })).toEqual([socket]);
	}
	expect(namedSockets({ HOME: "/home/me", SSH_AUTH_SOCK: "/home/me/.a/agent" })).toEqual([
		"/home/me/.a",
	]);
});
