import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { type Network, proxyTo } from "./support/proxy.ts";
import { Site, type Started } from "./support/site.ts";

const AGAIN = "it is tried again";

let site: Site;
let proxy: Network;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one", "two"] });
	proxy = await proxyTo(site.store);
	shut(site, "t1");
});
afterEach(async () => {
	await site.remove();
	await proxy.close();
});

/** Starts spar on a machine whose way to the database can be cut. */
const throughProxy = (machine: string, ...args: readonly string[]): Started =>
	site.start(machine, args, { env: { SPAR_STORE: proxy.address } });

const open = (): void => rmSync(join(site.scratch, "shut/t1"));
const noticesOf = (process: Started): number => process.said().split(AGAIN).length - 1;

test("a database that is away for a while ends neither the run that is followed nor those who watch", async () => {
	const run = throughProxy("office", "run", "--anyway");
	await isWaiting(site, "t1");
	const looks: readonly (readonly [shows: string, ...args: string[]])[] = [
		["player", "watch"],
		["t1", "status", "--watch"],
		["out-", "logs", "t1", "--follow"],
		['"t1"', "status", "--watch", "--json"],
	];
	const lookers = looks.map(([, ...args]) => throughProxy("two", ...args));
	for (const [index, [shows]] of looks.entries()) await lookers[index]?.told(shows);
	proxy.cut();
	for (const each of [run, ...lookers]) await each.told(AGAIN);
	proxy.restore();
	open();
	expect(await run.ended, run.said()).toBe(0);
	expect(run.said()).toMatch(/merged +tests/);
	for (const each of lookers) expect(await each.ended, each.said()).toBe(0);
	for (const each of lookers) expect(noticesOf(each), each.said()).toBe(1);
});

test("Ctrl-C ends those who wait for the database", async () => {
	const run = throughProxy("office", "run", "--anyway");
	await isWaiting(site, "t1");
	const watch = throughProxy("two", "watch");
	await watch.told("player");
	proxy.cut();
	for (const each of [run, watch]) {
		await each.told(AGAIN);
		await each.end("SIGINT");
		expect(await each.ended, each.said()).toBe(130);
	}
});
