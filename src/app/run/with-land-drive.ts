import { openRepository, type Repository } from "../../git/repository.ts";
import { gitHost } from "../git-host.ts";
import { bringShared } from "./bring-shared.ts";
import type { Drive } from "./drive.ts";
import { type HostRequest, withLazyHost } from "./with-host.ts";

/**
 * Does some work that lands or proposes a run: what other machines did of it is brought first, and a process host is opened
 * only if something has to be checked.
 */
export async function withLandDrive<T>(
	given: Omit<Drive, "repository" | "host">,
	request: (repository: Repository) => HostRequest,
	work: (drive: Drive) => Promise<T>,
): Promise<T> {
	const { run, places, env } = given;
	const repository = await openRepository(places.root, gitHost(env));
	await bringShared(repository, run, { env, tasks: run.workflow.tasks.map(({ id }) => id) });
	return await withLazyHost(request(repository), (host) => work({ ...given, repository, host }));
}
