import { inspectFilters } from "../../git/filter-findings.ts";
import { dirtyPaths, openRepository, type Repository } from "../../git/repository.ts";
import { askGit } from "../../git/run-git.ts";
import { missingSubmodules } from "../../git/submodules.ts";
import { gitHost } from "../../places/places.ts";
import {
	type DoctorLine,
	type DoctorPlace,
	faultLine,
	soundLine,
	warningLine,
} from "../../seats/doctor-line.ts";

const OLDEST_GIT = [2, 38] as const;

export async function gitLine(place: DoctorPlace): Promise<DoctorLine> {
	const name = "git";
	try {
		const where = { host: gitHost(place.env), configuration: "sealed", cwd: "/" } as const;
		const { stdout } = await askGit(where, { args: ["version"], parse: () => undefined });
		const words = stdout.toString("utf8").trim();
		const [major = 0, minor = 0] = (/\d+\.\d+/.exec(words)?.[0] ?? "0.0").split(".").map(Number);
		const ok = major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
		const oldest = OLDEST_GIT.join(".");
		return {
			name,
			ok,
			detail: `${words}; ${oldest} or newer is needed`,
			fix: ok ? null : `Install git ${oldest} or newer.`,
		};
	} catch (error) {
		return faultLine(name, error);
	}
}

const listed = (paths: readonly string[]): string =>
	`${paths.slice(0, 3).join(", ")}${paths.length > 3 ? `, and ${paths.length - 3} more` : ""}`;

async function filterLines(repository: Repository): Promise<readonly DoctorLine[]> {
	const findings = await inspectFilters(repository, repository.headCommit);
	return findings.map(({ place: { name, file, line }, refused, message, hint }) => ({
		name: `filter ${name}`,
		ok: refused ? false : "warn",
		detail: `${message} (${file}:${line})`,
		fix: hint,
	}));
}

export async function repositoryLines(place: DoctorPlace): Promise<readonly DoctorLine[]> {
	try {
		const repository = await openRepository(place.directory, gitHost(place.env));
		const { root, headBranch, headCommit, shallow } = repository;
		const head = `${headBranch ?? "detached HEAD"} at ${headCommit.slice(0, 10)}`;
		const lines: DoctorLine[] = [soundLine("repository", `${root}, ${head}`)];
		const dirty = await dirtyPaths(repository);
		if (dirty.length > 0) {
			const detail = `${listed(dirty)}: not part of a run, which works from HEAD`;
			lines.push(warningLine("uncommitted changes", detail, "Commit what the agents should see."));
		}
		const submodules = await missingSubmodules(repository, headCommit);
		if (submodules.length > 0) {
			const detail = `${listed(submodules)}: not in this repository, so empty in the agents' checkouts`;
			const fix = "Fetch them with: git submodule update --init --recursive";
			lines.push(warningLine("submodules", detail, fix));
		}
		if (shallow) {
			const fix = "Fetch the rest with: git fetch --unshallow";
			lines.push(warningLine("history", "the history is cut off (a shallow clone)", fix));
		}
		lines.push(...(await filterLines(repository)));
		return lines;
	} catch (error) {
		return [faultLine("repository", error)];
	}
}
