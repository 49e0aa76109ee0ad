import { textAt } from "../../kernel/fields.ts";

/** Thing that an agent did, for a person: what it said, read, edited, ran or otherwise used, and what came of it. */
export interface AgentStep {
	readonly kind: "says" | "reads" | "edits" | "runs" | "uses" | "result";
	readonly text: string;
	/** True of a piece of words, which goes on where the one before ended. */
	readonly isPiece?: boolean;
}

// The first that is there counts.
const INPUTS = [
	"command",
	"file_path",
	"filePath",
	"notebook_path",
	"path",
	"pattern",
	"query",
	"url",
	"description",
];

// By a word of the tool's name, the first that fits: tools are named as their makers like.
const KINDS: readonly (readonly [pattern: RegExp, kind: AgentStep["kind"]])[] = [
	[/edit|write|patch|replace|create|delete|move/i, "edits"],
	[/bash|shell|command|exec|run/i, "runs"],
	[/read|view|grep|glob|search|find|list|fetch|^ls$/i, "reads"],
];

/** @example `read_file` with `{"path":"a.js"}` reads `a.js`; `plan` without known input uses `plan` */
export function toolStep(name: string | null, input: unknown): readonly AgentStep[] {
	if (name === null) return [];
	const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? "uses";
	const [detail] = INPUTS.flatMap((key) => textAt(input, key) ?? []);
	if (kind === "uses") return [{ kind, text: detail === undefined ? name : `${name} ${detail}` }];
	return [{ kind, text: detail ?? name }];
}

/** A step with a text; none where there is no text. */
export function step(kind: AgentStep["kind"], text: string | null): readonly AgentStep[] {
	return text === null || text.trim() === "" ? [] : [{ kind, text }];
}
