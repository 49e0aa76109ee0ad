import { Fault } from "../kernel/fault.ts";

/** One line of `spar doctor`. */
export interface DoctorLine {
	/** Subject, such as `"git"`. */
	readonly name: string;
	/** `false`: something is missing, so that Sparring does not work; `"warn"`: it works, with the limit that `detail` names. */
	readonly ok: boolean | "warn";
	readonly detail: string;
	/** Of `detail` what is in the way, for one who knows the rest; left out: all of it. */
	readonly cause?: string;
	/** Advice; null when nothing is to be done. */
	readonly fix: string | null;
	/** False for an agent that no task of the workflow depends on; left out otherwise. */
	readonly needed?: boolean;
}

/** Tells whether something is missing that the workflow needs. */
export function isMissing({ ok, needed = true }: DoctorLine): boolean {
	return ok === false && needed;
}

export interface DoctorPlace {
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

export function soundLine(name: string, detail: string): DoctorLine {
	return { name, ok: true, detail, fix: null };
}

export function warningLine(name: string, detail: string, fix: string | null): DoctorLine {
	return { name, ok: "warn", detail, fix };
}

export function brokenLine(name: string, detail: string, fix: string | null): DoctorLine {
	return { name, ok: false, detail, fix };
}

export function faultLine(name: string, error: unknown): DoctorLine {
	if (!(error instanceof Error && "code" in error)) throw error;
	const fix = error instanceof Fault ? (error.hint ?? null) : null;
	return brokenLine(name, error.message, fix);
}
