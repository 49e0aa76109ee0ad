import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
	darwin: "open",
	linux: "xdg-open",
};

// Keys and tokens of the shell are not among it.
const NEEDED = [
	"PATH",
	"HOME",
	"LANG",
	"USER",
	"BROWSER",
	"DISPLAY",
	"WAYLAND_DISPLAY",
	"XAUTHORITY",
	"DBUS_SESSION_BUS_ADDRESS",
	"XDG_RUNTIME_DIR",
	"XDG_CURRENT_DESKTOP",
	"XDG_DATA_DIRS",
	"XDG_CONFIG_HOME",
] as const;

// Other programs of the user can read the address, which is why it ends with its first use.
export function openBrowser(
	url: string,
	shellEnv: Readonly<Record<string, string | undefined>>,
	platform: NodeJS.Platform = process.platform,
): void {
	const env = Object.fromEntries(NEEDED.map((name) => [name, shellEnv[name]]));
	const opener = OPENERS[platform];
	if (opener === undefined) return;
	const child = spawn(opener, [url], { env, detached: true, stdio: "ignore" });
	child.once("error", () => undefined);
	child.unref();
}
