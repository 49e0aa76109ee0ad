import { spawn } from "node:child_process";

/** What opens an address in the user's browser, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
	darwin: "open",
	linux: "xdg-open",
};

/**
 * Opens an address in the user's browser, if something here can; what it prints, and whether it fails, is nobody's concern: the
 * address was printed too. Other programs of the user can read it meanwhile, which is why it ends with its first use.
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
	const opener = OPENERS[platform];
	if (opener === undefined) return;
	const child = spawn(opener, [url], { detached: true, stdio: "ignore" });
	child.once("error", () => undefined);
	child.unref();
}
