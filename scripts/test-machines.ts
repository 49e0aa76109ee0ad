// Tests what several machines share, on a Postgres and a NATS server of its own:
// `node scripts/test-machines.ts [VITEST-ARGUMENTS...]`.
//
// Both run on loopback as an ordinary user, and end with the tests. Where a program is missing this says "not tested"
// with its package, which is a failure when CI=true. SPAR_TEST_PROGRAMS names the folders of the servers where they are
// neither on the path nor where Debian has them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
	ProgramMissing,
	requireServers,
	startNats,
	startPostgres,
	type TestServer,
} from "../test/machines/support/servers.ts";

const servers: TestServer[] = [];
let tests: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.on(signal, () => {
		interrupted = signal;
		tests?.kill(signal);
	});

async function testOnServers(): Promise<number> {
	const postgres = await startPostgres();
	servers.push(postgres);
	const nats = await startNats();
	servers.push(nats);
	if (interrupted !== undefined) return 130;
	const args = ["run", "--config", "vitest.machines.config.ts", ...process.argv.slice(2)];
	const addresses = { SPAR_TEST_POSTGRES: postgres.address, SPAR_TEST_NATS: nats.address };
	tests = spawn("vitest", args, { stdio: "inherit", env: { ...process.env, ...addresses } });
	const [code] = (await once(tests, "exit")) as readonly unknown[];
	return typeof code === "number" ? code : 130;
}

try {
	requireServers();
	process.exitCode = await testOnServers();
} catch (error) {
	if (!(error instanceof ProgramMissing)) throw error;
	process.stdout.write(`several machines: not tested: ${error.message}\n`);
	process.exitCode = process.env["CI"] === "true" ? 1 : 0;
} finally {
	await Promise.all(servers.map((server) => server.stop()));
}
