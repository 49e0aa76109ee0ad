import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";

/** Formats by name, with the kinds as plain words. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(KINDS_OF_FORMAT));

/** Report formats that cannot hold the results of their check's kind. */
export function reportFormats(checks: Field, report: Reporter): void {
	const allKinds = new Set([...FORMATS.values()].flat());
	for (const { field: check } of checks.entries()) {
		const format = check.at("report").at("format");
		const kind = check.at("kind").text;
		const kinds = FORMATS.get(format.text ?? "");
		if (kinds === undefined || kind === undefined || !allKinds.has(kind) || kinds.includes(kind))
			continue;
		const fitting = [...FORMATS].flatMap(([name, fits]) => (fits.includes(kind) ? [name] : []));
		report.error(
			format,
			`report format ${quote(String(format.value))} is for kind ${kinds.join(" or ")}, not ${kind}`,
			`a check of kind ${kind} can have: ${fitting.join(", ")}`,
		);
	}
}
