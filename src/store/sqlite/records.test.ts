import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { conflictsContract } from "../conflicts.contract.ts";
import { itemsContract } from "../items.contract.ts";
import { leasesContract } from "../leases.contract.ts";
import { overviewsContract } from "../overviews.contract.ts";
import { pairAndScoresContract } from "../pair-and-scores.contract.ts";
import { ownIdentity } from "../process-identity.ts";
import { recordsContract, type StoreUnderTest } from "../records.contract.ts";
import { spendingContract } from "../spending.contract.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { sqliteRecords } from "./records.ts";

/** Above the largest process id of Linux, so that nobody has it. */
const NOBODY = 2 ** 22 + 1;

async function open(): Promise<StoreUnderTest> {
	const db = openDatabase(":memory:");
	const dead = { ...ownIdentity(), pid: NOBODY };
	return {
		records: sqliteRecords(db),
		leases: sqliteLeases(db, { clock: systemClock }),
		leasesOfTheDead: sqliteLeases(db, { clock: systemClock, identity: dead }),
		close: async () => db.close(),
	};
}

recordsContract("sqlite", open);
itemsContract("sqlite", open);
leasesContract("sqlite", open);
spendingContract("sqlite", open);
pairAndScoresContract("sqlite", open);
conflictsContract("sqlite", open);
overviewsContract("sqlite", open);

test("the pulse beats with what another connection commits", async () => {
	const directory = mkdtempSync(join(tmpdir(), "spar-records-"));
	const [one, two] = [0, 1].map(() => openDatabase(join(directory, "sparring.db")));
	if (one === undefined || two === undefined) throw new Error("no database");
	const watching = sqliteRecords(one);
	const before = await watching.pulse();
	await sqliteLeases(two, { clock: systemClock }).take("r");
	expect(await watching.pulse()).not.toBe(before);
	one.close();
	two.close();
	rmSync(directory, { recursive: true });
});
