import { expect, test } from "vitest";
import { loadPackage } from "./load-package.ts";

const missing = async (): Promise<never> => {
	throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
};

test("a missing package is named with the command that installs it", async () => {
	await expect(loadPackage(["pg"], missing)).rejects.toMatchObject({
		code: "program-missing",
		message: "a store on Postgres needs the npm package pg",
		hint: "Run `npm install pg` where Sparring is installed.",
	});
});

test("a package that fails while it loads is no missing one", async () => {
	const broken = async (): Promise<never> => {
		throw new SyntaxError("broken");
	};
	await expect(loadPackage(["pg"], broken)).rejects.toThrow("broken");
});
