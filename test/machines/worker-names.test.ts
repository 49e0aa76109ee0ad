import { afterEach, beforeEach, expect, test } from "vitest";
import { openMachines } from "../../src/machines/open-machines.ts";
import { Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: { "a.txt": "a\n" }, machines: ["one", "two"] });
});
afterEach(() => site.remove());

/** Works in this process, so that all have one host name and one process id, as in containers. */
async function workHere(machine: string) {
	const place = { directory: site.at(machine), env: site.env(machine) };
	const machines = await openMachines(place);
	const ended = new AbortController();
	const notices: string[] = [];
	const working = machines.work({
		tags: [machine],
		slots: 1,
		signal: ended.signal,
		onNotice: (text) => notices.push(text),
		onReady: () => undefined,
		onTask: () => undefined,
	});
	const end = async (): Promise<void> => {
		ended.abort(new Error("the test ends it"));
		await working;
	};
	return { machines, end, notices };
}

test("workers with one host name and one process id are told apart, and one that ends takes no other along", async () => {
	const [one, two] = [await workHere("one"), await workHere("two")];
	const tags = async () =>
		(await one.machines.workers()).workers.map((worker) => worker.tags.join());
	try {
		await expect
			.poll(async () => (await tags()).sort(), { timeout: 30_000 })
			.toEqual(["one", "two"]);
		await two.end();
		expect(await tags()).toEqual(["one"]);
	} finally {
		await Promise.all([one.end(), two.end()]);
	}
	expect([...one.notices, ...two.notices]).toEqual([]);
});
