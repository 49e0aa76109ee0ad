// Takes the lease of task `t` of run `r` in the store of its argument, then writes behind its fence each time its parent
// asks, and sends what came of it.

import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres.ts";
import { assertFence, postgresRunner } from "../../../src/store/postgres/records.ts";
import { checkpointer } from "../../../src/store/queries/checkpointer.ts";

const postgres = await connectPostgres(process.argv[2] ?? "");
const lease = await postgresLeases(postgres).take("r", { task: "t" });
const saver = checkpointer(postgresRunner(postgres), lease);
const config = { configurable: { thread_id: "r/t/1", checkpoint_ns: "", checkpoint_id: "c" } };

const tell = (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => "written",
		(error: unknown) => String(Reflect.get(Object(error), "code")),
	);

async function write(): Promise<void> {
	const transaction = postgres.transaction(async (client) => {
		await assertFence(client, lease);
		await client.query("INSERT INTO notes VALUES ('written')");
	});
	const answers = [await tell(transaction), await tell(saver.putWrites(config, [["c", 1]], "t"))];
	process.send?.(answers);
}

process.on("message", () => {
	void write();
});
process.send?.(`epoch ${lease.epoch}`);
