import { baseOf } from "../drive/start-run.ts";
import { commitView } from "../formats/commit-view.ts";
import { type FilterFinding, inspectFilters } from "../git/filter-findings.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { openVault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import type { LoadedWorkflow } from "../places/load-source.ts";
import { gitHost } from "../places/places.ts";
import { makeTemporary, requireTemporary } from "../process/temporary.ts";
import type { SideReason } from "../wall/reading/sides.ts";
import { readSides } from "../wall/replay/read-sides.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface TestSideFile {
	readonly path: string;
	/** Reason for which it is on the tests' side, or `apparatus`: neither product nor document for another one. */
	readonly why: SideReason | "apparatus";
}

/** A loaded workflow against its base commit. */
export interface ValidatedWorkflow extends LoadedWorkflow {
	/** Empty where the base commit is not known. */
	readonly tests: readonly TestSideFile[];
}

/**
 * Adds what the base commit makes of a workflow: an error for each filter that would keep `spar run` from beginning, and
 * the files that are no product. A repository that cannot be opened has no say here.
 */
export async function againstBase(
	loaded: LoadedWorkflow,
	place: {
		readonly directory: string;
		readonly env: Readonly<Record<string, string | undefined>>;
	},
): Promise<ValidatedWorkflow> {
	const { workflow } = loaded;
	if (workflow === null) return { ...loaded, tests: [] };
	await requireTemporary();
	try {
		const repository = await openRepository(place.directory, gitHost(place.env));
		const { baseCommit } = await baseOf(workflow, repository);
		const findings = await inspectFilters(repository, baseCommit);
		const of = (wanted: boolean): Diagnostic[] =>
			findings.filter(({ refused }) => refused === wanted).map(diagnosticOf);
		const errors = of(true);
		const warnings = [...loaded.warnings, ...of(false)];
		const tests = await testsIn(repository, baseCommit, workflow);
		return { workflow: errors.length > 0 ? null : workflow, errors, warnings, tests };
	} catch (error) {
		if (error instanceof Fault) return { ...loaded, tests: [] };
		throw error;
	}
}

async function testsIn(
	repository: Repository,
	base: string,
	{ checks }: Workflow,
): Promise<TestSideFile[]> {
	if (!checks.some(({ kind }) => kind === "acceptance")) return [];
	await using dir = await makeTemporary("spar-validate-");
	const vault = await openVault(repository, dir.path);
	const view = commitView(vault, base, base);
	const { tests, classOf } = await readSides(view, checks);
	const others = [...(await view.files())].filter(
		(path) => !tests.has(path) && classOf(path, new Map()) === "apparatus",
	);
	return [
		...[...tests].map(([path, why]) => ({ path, why })),
		...others.map((path) => ({ path, why: "apparatus" as const })),
	];
}

function diagnosticOf({ place: { file, line }, message, hint }: FilterFinding): Diagnostic {
	return { file, line, column: 1, message, hint };
}
