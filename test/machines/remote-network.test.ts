import { afterEach, beforeEach, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { MOMENTS } from "./support/armed-remote.ts";
import { type GitDaemon, gitDaemon } from "./support/git-daemon.ts";
import { type Network, proxyTo } from "./support/proxy.ts";
import { type PushScene, pushScene } from "./support/push-scene.ts";
import { git } from "./support/site.ts";

/** The remote then takes what it has, and cannot tell anybody. */
const BEFORE = MOMENTS.filter((moment) => moment.startsWith("before-"));

let scene: PushScene;
let daemon: GitDaemon;
let network: Network;
beforeEach(async () => {
	scene = await pushScene(BEFORE);
	daemon = await gitDaemon(scene.site.scratch);
	network = await proxyTo(daemon.address("remote.git"));
	git(scene.site.at("one"), "remote", "set-url", "origin", network.address);
});
afterEach(async () => {
	for (const moment of BEFORE) scene.remote.release(moment, "goes-on");
	await scene.site.remove();
	await network.close();
	await daemon.close();
});

/** When a lease was renewed last, in seconds. */
async function lastBeat(): Promise<number> {
	const [row] = await scene.site.rows("SELECT max(beat) / 1000.0 AS beat FROM leases");
	return Number(row?.["beat"]);
}

/** In each kind of push in turn the network fails, while the remote takes what it was sent. */
const troubled = (fail: () => Promise<void>): Promise<void> =>
	scene.troubled(async (moment, worker) => {
		const told = worker.tells("the remote origin cannot be reached");
		await fail();
		scene.remote.release(moment, "goes-on");
		await told;
		network.restore();
	});

test("a remote whose connection is cut in a push, which it takes all the same, merges each task once, and no agent is called again", () =>
	troubled(async () => network.cut()));

test("a remote that goes silent in a push until the connection ends merges each task once, and no agent is called again", () =>
	troubled(async () => {
		network.swallow();
		const before = await lastBeat();
		await waitUntil("a lease is renewed", async () => (await lastBeat()) > before);
		network.cut();
	}));
