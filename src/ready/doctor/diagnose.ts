import { tmpdir } from "node:os";
import path from "node:path";
import { inspectFilters } from "../../git/filter-findings.ts";
import { dirtyPaths, openRepository, type Repository } from "../../git/repository.ts";
import { askGit } from "../../git/run-git.ts";
import { missingSubmodules } from "../../git/submodules.ts";
import { findRoot } from "../../places/find-root.ts";
import { gitHost } from "../../places/places.ts";
import { namedStore } from "../../places/store-address.ts";
import { findProgram } from "../../process/find-program.ts";
import type { SandboxProbe } from "../../process/sandbox/open-sandbox.ts";
import { requireTemporary } from "../../process/temporary.ts";
import { type NeedsPlace, neededAgents } from "../../seats/agent-needs.ts";
import {
	brokenLine,
	type DoctorLine,
	type DoctorPlace,
	faultLine,
	soundLine,
	warningLine,
} from "../../seats/doctor-line.ts";
import type { SandboxPolicy, Workflow } from "../../workflow/workflow.ts";
import { agentLines, installedLines, tieBreakerLines } from "./agents.ts";
import { leftToOthers, remoteLine, storeLine, tagsLine } from "./machines.ts";
import { checkoutPlaceLine, databaseLine, sizeLines, stateLine } from "./places.ts";

type Environment = DoctorPlace["env"];

async function probeHere(env: Environment, unixSockets: boolean): Promise<SandboxProbe> {
	const { probeSandbox } = await import("../../process/sandbox/open-sandbox.ts");
	return probeSandbox(env, unixSockets);
}

async function linesOfAgents(
	workflow: Workflow,
	{ root, env }: { readonly root: string; readonly env: Environment },
	isOneOfMany: boolean,
): Promise<readonly DoctorLine[]> {
	const place: NeedsPlace = {
		env,
		inCheckout: async (program) =>
			findProgram(program, "", root) === undefined
				? "which is no executable file of the work tree"
				: null,
	};
	const agents = Object.values(workflow.agents);
	const needed = neededAgents(workflow);
	const lines = await agentLines(agents, place);
	const marked = lines.map((line, index) =>
		needed.has(agents[index]?.name ?? "") ? line : { ...line, needed: false },
	);
	const all = [...marked, ...(await tieBreakerLines(workflow, lines, place))];
	if (!isOneOfMany) return all;
	return [
		...leftToOthers(workflow, all),
		await remoteLine(root, workflow, env),
		tagsLine(workflow, lines),
	];
}

/**
 * Looks at everything that Sparring needs on this machine and in this repository. It changes nothing, calls no model
 * and never rejects for what it finds: that is what the lines say. Coding agents that it asks about themselves may
 * write to their own stores.
 */
export async function diagnose(
	place: DoctorPlace,
	probe: (env: Environment, unixSockets: boolean) => Promise<SandboxProbe> = probeHere,
): Promise<readonly DoctorLine[]> {
	const temporary = await temporaryLine();
	// Nearly everything else needs them, and would say less clearly what is wrong.
	if (temporary.ok === false) return [NODE, temporary];
	const { env } = place;
	const root = findRoot(place.directory);
	const named = root === undefined ? null : namedStore(root, env);
	const file = root === undefined ? null : await lookAtWorkflow(root);
	const workflow = file?.workflow ?? null;
	const ofRepository =
		root === undefined
			? []
			: [
					await checkoutPlaceLine(root, env),
					await stateLine(root),
					await (named?.store == null ? databaseLine(root) : storeLine(named, { root, env })),
					...(await sizeLines(root, env)),
					...(file === null ? [] : [file.line]),
				];
	const sandbox = await probe(env, workflow?.sandbox?.unixSockets ?? false);
	const mode = workflow === null ? undefined : (workflow.sandbox?.mode ?? "off");
	return [
		NODE,
		temporary,
		await gitLine(place),
		...(await repositoryLines(place)),
		...ofRepository,
		...(workflow === null || root === undefined
			? await installedLines(env)
			: await linesOfAgents(workflow, { root, env }, named?.store != null)),
		leftoverLine(process.platform, sandbox.available && mode !== undefined && mode !== "off"),
		sandboxLine(mode, sandbox),
	];
}

async function temporaryLine(): Promise<DoctorLine> {
	const name = "temporary files";
	try {
		await requireTemporary();
		return soundLine(name, `in ${tmpdir()}`);
	} catch (error) {
		return faultLine(name, error);
	}
}

// The program does not start on an older one.
const NODE = soundLine("node", `Node ${process.versions.node}; 24.11 or newer is needed`);

const FILE = "sparring.yaml";

async function lookAtWorkflow(
	root: string,
): Promise<{ readonly line: DoctorLine; readonly workflow: Workflow | null }> {
	const name = "workflow";
	try {
		const { readWorkflowFile } = await import("../../workflow/read-workflow-file.ts");
		const { loadWorkflow } = await import("../../workflow/load.ts");
		const content = await readWorkflowFile(path.join(root, FILE));
		const place = { file: FILE, directory: root, repositoryRoot: root };
		const { workflow, errors } = loadWorkflow({ content, ...place });
		if (workflow === null) {
			const [first] = errors;
			const detail = `${FILE}:${first?.line ?? 1}:${first?.column ?? 1} ${first?.message ?? ""}`;
			const fix = `See all ${errors.length} with: spar validate`;
			return { line: brokenLine(name, detail, fix), workflow };
		}
		const detail = `${FILE}; tasks: ${workflow.tasks.length}, checks: ${workflow.checks.length}`;
		return { line: soundLine(name, detail), workflow };
	} catch (error) {
		return { line: { ...faultLine(name, error), ok: "warn" }, workflow: null };
	}
}

const OLDEST_GIT = [2, 38] as const;

async function gitLine(place: DoctorPlace): Promise<DoctorLine> {
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

async function repositoryLines(place: DoctorPlace): Promise<readonly DoctorLine[]> {
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

const OPEN =
	"agents and checks run with your own rights: they read and change what you can, files that git ignores (.env), other checkouts, Sparring's records, hidden tests and sign-ins included";

/** @param mode of the workflow; undefined without one */
export function sandboxLine(
	mode: SandboxPolicy["mode"] | undefined,
	probe: SandboxProbe,
): DoctorLine {
	const name = "sandbox";
	if (mode === "off") {
		const [detail, fix] = probe.available
			? [`off: ${OPEN}, though this machine could confine them`, "Write `sandbox: auto`."]
			: [`off: ${OPEN}; this machine could not confine them: ${probe.reason}`, probe.fix];
		return warningLine(name, detail, fix);
	}
	const before = mode === undefined ? "" : `${mode}: `;
	if (probe.available) return soundLine(name, `${before}${probe.detail}`);
	return mode === "required"
		? brokenLine(name, `required, so nothing runs: ${probe.reason}`, probe.fix)
		: warningLine(name, `${before}not here, so ${OPEN}: ${probe.reason}`, probe.fix);
}

/** The end of processes that an agent or a check leaves behind. */
export function leftoverLine(platform: string, isConfined: boolean): DoctorLine {
	const name = "leftover processes";
	if (platform !== "linux") {
		const limit =
			"by process group and mark: a call's process group, its descendants, and programs of your own that have Sparring's marker in their environment end with it; a service that detaches itself without it may stay";
		return warningLine(name, limit, "Have agents and checks start no background services.");
	}
	const detail = isConfined
		? "by process namespace: all end with their call"
		: "by process group and mark: a call's process group, its descendants, processes with Sparring's marker in their environment, and those that work in its checkout end with it; one that escapes all of these may stay";
	return soundLine(name, detail);
}
