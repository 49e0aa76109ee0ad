import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { attempt } from "../../kernel/attempt.ts";
import { isIn } from "../hidden-places.ts";
import type { FileRules } from "./runtime-client.ts";

// Mounts need real paths; missing and relative ones are left out.
export function realPlaces(paths: readonly string[]): string[] {
	// Of what is missing or not accessible there is nothing to allow or forbid.
	const real = paths.filter(isAbsolute).flatMap((path) => attempt(() => realpathSync(path), []));
	return [...new Set(real)];
}

export interface FileWishes {
	readonly writable: readonly string[];
	readonly readable?: readonly string[];
	readonly never: readonly string[];
	readonly hidden: readonly string[];
}

// A path that is never writable overrides writable paths above and below it. A hidden path is visible to a call that
// may read or write there, since it is that agent's own store.
export function fileRules({ writable, readable = [], never, hidden }: FileWishes): FileRules {
	const readOnly = realPlaces(never);
	const open = realPlaces(writable).filter((path) => !readOnly.some((place) => isIn(path, place)));
	const shown = [...open, ...realPlaces(readable)];
	const away = realPlaces(hidden).filter((place) => !shown.some((path) => isIn(path, place)));
	return { writable: open, readOnly, hidden: away };
}

/**
 * The same rules with closed places, of which a call sees only what lies in them and is writable or its own. Naming a
 * closed place itself, or what holds it, opens nothing.
 */
export function closing(
	rules: FileRules,
	{ closed, own }: { readonly closed: readonly string[]; readonly own: readonly string[] },
): Required<FileRules> {
	const seen = [...new Set([...rules.writable, ...realPlaces(own), ...namesOf(own)])];
	const places = realPlaces(closed);
	// A place in another one is gone with it, unless what is seen of that one holds it.
	const shut = places.filter((place) => {
		const above = [...places, ...rules.hidden].filter((each) => isWithin(place, each));
		return above.every((each) => seen.some((path) => isWithin(path, each) && isIn(place, path)));
	});
	const visible = seen
		.filter((path) => shut.some((place) => isWithin(path, place)))
		.flatMap((path) => besides(rules.writable, path));
	return { ...rules, closed: shut, visible: [...new Set(visible)] };
}

function besides(writable: readonly string[], path: string): string[] {
	if (!writable.some((place) => isWithin(place, path))) return [path];
	return readdirSync(path).flatMap((name) => besides(writable, join(path, name)));
}

const isWithin = (path: string, place: string): boolean => path !== place && isIn(path, place);

// In real folders, but links as they are: what is found by its name needs the name.
function namesOf(paths: readonly string[]): string[] {
	return paths.flatMap((path) => realPlaces([dirname(path)]).map((at) => join(at, basename(path))));
}
