import { findPackageJSON } from "node:module";
import { Fault } from "../../kernel/fault.ts";

/** What a store on Postgres needs besides Sparring. */
const PACKAGES = ["pg", "pg-boss"];

/**
 * Checks for all packages that a store on Postgres needs, whichever of them the caller uses: a run is not begun that a
 * missing one would stop. Loads none of them.
 *
 * @param from URL of the file from which they are looked for
 * @throws Fault `program-missing` with the one command that installs what is missing
 */
export function requirePackages(from: string = import.meta.url): void {
	const missing = PACKAGES.filter((name) => !isInstalled(name, from));
	if (missing.length === 0) return;
	throw new Fault(
		`a store on Postgres needs the npm package${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}`,
		{
			code: "program-missing",
			hint: `Run \`npm install ${missing.join(" ")}\` where Sparring is installed.`,
		},
	);
}

function isInstalled(name: string, from: string): boolean {
	try {
		return findPackageJSON(name, from) !== undefined;
	} catch (error) {
		if (error instanceof Error && Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND")
			return false;
		throw error;
	}
}
