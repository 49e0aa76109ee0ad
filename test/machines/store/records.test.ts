import { conflictsContract } from "../../../src/store/conflicts.contract.ts";
import { itemsContract } from "../../../src/store/items.contract.ts";
import { overviewsContract } from "../../../src/store/overviews.contract.ts";
import { pairAndScoresContract } from "../../../src/store/pair-and-scores.contract.ts";
import { postgresRecords } from "../../../src/store/postgres/records.ts";
import { recordsContract, type StoreUnderTest } from "../../../src/store/records.contract.ts";
import { spendingContract } from "../../../src/store/spending.contract.ts";
import { grabbedLeases, recordStore } from "./record-store.fixture.ts";

async function open(): Promise<StoreUnderTest> {
	const { postgres, remove } = await recordStore();
	const leases = grabbedLeases(postgres);
	return { records: postgresRecords(postgres), leases, leasesOfTheDead: leases, close: remove };
}

recordsContract("postgres", open);
itemsContract("postgres", open);
spendingContract("postgres", open);
pairAndScoresContract("postgres", open);
conflictsContract("postgres", open);
overviewsContract("postgres", open);
