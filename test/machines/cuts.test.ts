import { afterEach, beforeEach, test } from "vitest";
import { MOMENTS } from "./support/armed-remote.ts";
import { type Network, proxyTo } from "./support/proxy.ts";
import { type PushScene, pushScene, type Trouble } from "./support/push-scene.ts";

let scene: PushScene;
let proxy: Network;
beforeEach(async () => {
	scene = await pushScene(MOMENTS);
	proxy = await proxyTo(scene.site.store);
});
afterEach(async () => {
	await scene.site.remove();
	await proxy.close();
});

const troubled = (trouble: Trouble): Promise<void> =>
	scene.troubled(trouble, { SPAR_STORE: proxy.address });

/** The database is away until the worker has noticed, while the push goes on. */
const withoutStore =
	(goAway: () => void): Trouble =>
	async (moment, worker) => {
		goAway();
		scene.remote.release(moment, "goes-on");
		await worker.tells("did not do what it was asked");
		proxy.restore();
	};

test("a push that is cut at any moment is made good, and no agent is called again", () =>
	troubled(async (moment) => scene.remote.release(moment, "cut")));

test("a database that is cut off at any moment of a push is waited for, and no agent is called again", () =>
	troubled(withoutStore(() => proxy.cut())));

test("a database that swallows everything at any moment of a push is waited for, and no agent is called again", () =>
	troubled(withoutStore(() => proxy.swallow())));
