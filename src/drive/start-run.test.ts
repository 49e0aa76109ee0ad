import { afterEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { repository, type TestRepository } from "../../test/support/repository.ts";
import { run } from "../store/record-builders.contract.ts";
import { prepareRun } from "./start-run.ts";

let repo: TestRepository | undefined;
afterEach(() => repo?.remove());

const prepared = async (maxParallel?: number): Promise<number> => {
	repo = repository({ files: { "work.txt": "x" } });
	const place = { directory: repo.root, env: repo.env, places: { store: null } };
	const { workflow } = await prepareRun(run().workflow, { maxParallel }, place);
	return workflow.maxParallel;
};

thorough("a given number of tasks at once is stored with the run's workflow", async () => {
	expect(await prepared(8)).toBe(8);
});

thorough("without one the file's number counts", async () => {
	expect(await prepared()).toBe(run().workflow.maxParallel);
});

test("one that is out of range starts nothing", async () => {
	await expect(prepared(257)).rejects.toMatchObject({ code: "usage" });
});

test.each([0, 1.5])("a bound of %d turns starts nothing", async (maxTurns) => {
	repo = repository({ files: { "work.txt": "x" } });
	const place = { directory: repo.root, env: repo.env, places: { store: null } };
	await expect(prepareRun(run().workflow, { maxTurns }, place)).rejects.toMatchObject({
		code: "usage",
	});
});
