import type { Evidence } from "../evidence/evidence.ts";
import type { GateReason } from "../gate/gate-facts.ts";

/** Word of a rule of the gate: `not_asked` where nobody here could know, `ask` where somebody has to decide. */
export interface RuleResult {
	readonly rule: string;
	readonly status: Lowercase<GateReason["status"]>;
	readonly details: string;
}

/** The part of a report that tells why a rule refuses work. */
interface Told {
	readonly checks: readonly { readonly kind: Evidence["kind"]; readonly blocks: boolean }[];
	readonly integrity: { readonly violations: readonly string[] };
	readonly findings: readonly { readonly blocking: boolean }[];
	readonly rules: readonly RuleResult[];
}

/** Rules that refuse work where no check, change or finding of the report says why. */
export function untoldRefusals({ checks, integrity, findings, rules }: Told): RuleResult[] {
	const blocked: ReadonlySet<string> = new Set(
		checks.flatMap(({ kind, blocks }) => (blocks ? [kind] : [])),
	);
	const isTold = (rule: string): boolean => {
		if (rule === "acceptance")
			return blocked.has("acceptance") || blocked.has("replay") || integrity.violations.length > 0;
		if (rule === "coach" || rule === "verification") return findings.some((one) => one.blocking);
		return blocked.has(rule);
	};
	return rules.filter(
		({ rule, status }) => (status === "fail" || status === "absent") && !isTold(rule),
	);
}
