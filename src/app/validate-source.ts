import { type FilterFinding, inspectFilters } from "../git/filter-findings.ts";
import { openRepository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import { gitHost } from "./git-host.ts";
import { baseOf } from "./run/start-run.ts";
import type { LoadedWorkflow } from "./sparring.ts";

/**
 * A loaded workflow with what the base commit's filters make of it: an error for each that would keep `spar run` from
 * beginning, at the place in `.gitattributes` that names it. A repository that cannot be opened has no say here.
 */
export async function withFilters(
	loaded: LoadedWorkflow,
	place: {
		readonly directory: string;
		readonly env: Readonly<Record<string, string | undefined>>;
	},
): Promise<LoadedWorkflow> {
	const { workflow } = loaded;
	if (workflow === null) return loaded;
	try {
		const repository = await openRepository(place.directory, gitHost(place.env));
		const { baseCommit } = await baseOf(workflow, repository);
		const findings = await inspectFilters(repository, baseCommit);
		const of = (wanted: boolean): Diagnostic[] =>
			findings.filter(({ refused }) => refused === wanted).map(diagnosticOf);
		const errors = of(true);
		const warnings = [...loaded.warnings, ...of(false)];
		return { workflow: errors.length > 0 ? null : workflow, errors, warnings };
	} catch (error) {
		if (error instanceof Fault) return loaded;
		throw error;
	}
}

function diagnosticOf({ place: { file, line }, message, hint }: FilterFinding): Diagnostic {
	return { file, line, column: 1, message, hint };
}
