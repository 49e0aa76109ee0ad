import { quote } from "../../kernel/quote.ts";
import { nearest, suggestion } from "../../kernel/suggest.ts";

export type ValueType = "bool" | "int" | "double" | "string";

interface Variable {
	readonly type: ValueType;
	readonly choices?: readonly string[];
}

const bool = { type: "bool" } as const;
const int = { type: "int" } as const;
const score = { type: "double" } as const;

export const VARIABLES = {
	"pair.challenger_approved": bool,
	"pair.iteration": int,
	confidence_score: score,
	"metrics.test_coverage": score,
	"metrics.lint_score": score,
	"metrics.security_score": score,
	"metrics.checklist_completion": score,
	"metrics.llm_judge": score,
	"metrics.requirement_coverage": score,
	"metrics.mutation_score": score,
	"gate.verdict": { type: "string", choices: ["PASS", "FAIL"] },
	"verification.verdict": {
		type: "string",
		choices: ["passed", "failed", "skipped", "inconclusive"],
	},
	"review.decision": { type: "string", choices: ["approve", "feedback"] },
	"findings.open": int,
	"findings.blocking": int,
	"loop.turn": int,
	"hil.resolved": bool,
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof VARIABLES;

type ValueOf<V extends Variable> = V extends { readonly choices: readonly (infer Choice)[] }
	? Choice
	: V extends typeof bool
		? boolean
		: number;

type AllValues = {
	readonly [Name in VariableName]: ValueOf<(typeof VARIABLES)[Name]> | undefined;
};

/**
 * Values of conditions by dotted name; what is left out or undefined is unknown, and so is a number out of its range,
 * such as NaN, so that nothing can hold because of a broken number.
 */
export type ConditionValues = Partial<AllValues> & {
	readonly [Name in "findings.open" | "findings.blocking" | "loop.turn"]: number;
};

export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);

/** Names such as `pair.constructor` are not in the table. */
export function isVariable(name: string): name is VariableName {
	return Object.hasOwn(VARIABLES, name);
}

export function variable(name: VariableName): Variable {
	return VARIABLES[name];
}

/** `loop.trun` gives `did you mean "loop.turn"?`. */
export function suggestVariable(name: string): string | undefined {
	const members = VARIABLE_NAMES.filter((each) => each.startsWith(`${name}.`));
	if (members.length > 0) return `write ${members.join(" or ")}`;
	const choices = Object.values<Variable>(VARIABLES).flatMap((each) => each.choices ?? []);
	if (choices.includes(name)) return `write ${quote(name)}, with quotes`;
	const near = nearest(name, ["true", "false", ...VARIABLE_NAMES]);
	if (near !== undefined) return `did you mean ${quote(near)}?`;
	const siblings = VARIABLE_NAMES.filter((each) => each.split(".")[0] === name.split(".")[0]);
	return suggestion(name, siblings.length > 0 ? siblings : VARIABLE_NAMES);
}
