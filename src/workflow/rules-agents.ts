import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { suggestion } from "./suggest.ts";

/** Reports a name that is no agent's; absent fields and other types are not its matter. */
export function reportAgentName(field: Field, agents: readonly string[], report: Reporter): void {
	const name = field.text;
	if (name === undefined || agents.includes(name)) return;
	report.error(field, `unknown agent ${quote(name)}`, suggestion(name, agents));
}
