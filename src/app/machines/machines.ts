import type { Repository } from "../../git/repository.ts";
import type { Jobs } from "../../schedule/jobs.ts";
import type { SharedCalls } from "../../store/shared-calls.ts";
import type { Workers } from "../../store/workers.ts";

export interface Machines {
	/**
	 * Makes the store that of this repository, before its first run or worker, and makes sure that jobs can be sent; one
	 * schema serves one repository.
	 *
	 * @throws Fault `usage` where it is another one's, `store-outdated` where it lacks the tables of the jobs
	 */
	claim(repository: Repository): Promise<void>;
	readonly workers: Workers;
	calls(runId: string): SharedCalls;
	jobs(): Promise<Jobs>;
	/** Jobs to be taken, for the process that works: it looks after those whose worker died as well. */
	ownJobs(onError: (error: Error) => void): Promise<Jobs>;
}
