import { childEnvironment, type EnvironmentSource } from "./environment.ts";
import { findProgram } from "./find-program.ts";

export interface ChildProgram {
	/** Absolute path; undefined when a child finds none. */
	readonly file: string | undefined;
	/** The one that only Sparring's own PATH has, such as in `node_modules/.bin`; undefined when a child finds one. */
	readonly unseen: string | undefined;
}

/**
 * Looks for a program where a child with the environment of `childEnvironment` does, so that what is found here can be
 * started there.
 */
export async function findChildProgram(
	name: string,
	env: EnvironmentSource,
	cwd: string,
): Promise<ChildProgram> {
	const file = await findProgram(name, childEnvironment(env)["PATH"] ?? "", cwd);
	if (file !== undefined) return { file, unseen: undefined };
	return { file, unseen: await findProgram(name, env["PATH"] ?? "", cwd) };
}
