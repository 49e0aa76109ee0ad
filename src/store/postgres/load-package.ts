import { Fault } from "../../kernel/fault.ts";

/**
 * Loads an optional package.
 *
 * @param packages what to install where it is missing, such as `["pg"]`
 * @throws Fault `program-missing` with the command that installs them
 */
export async function loadPackage<T>(
	packages: readonly string[],
	load: () => Promise<T>,
): Promise<T> {
	try {
		return await load();
	} catch (error) {
		if (!(error instanceof Error && Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND"))
			throw error;
		throw new Fault(
			`a store on Postgres needs the npm package${packages.length > 1 ? "s" : ""} ${packages.join(" and ")}`,
			{
				code: "program-missing",
				hint: `Run \`npm install ${packages.join(" ")}\` where Sparring is installed.`,
				cause: error,
			},
		);
	}
}
