import { expect, test } from "vitest";
import { databaseFault, isBusy } from "./database.ts";

/** Typed, as vitest gives `any`. */
const textWith = (part: string): unknown => expect.stringContaining(part);

const sqliteError = (errcode: number): Error =>
	Object.assign(new Error("from sqlite"), { code: "ERR_SQLITE_ERROR", errcode });
const systemError = (code: string): Error =>
	Object.assign(new Error(`${code}: from the system`), { code });

const FILE = "/project/.sparring/sparring.db";

test.each([
	["state-unwritable", false, sqliteError(3)],
	["state-unwritable", true, sqliteError(5)],
	["state-unwritable", true, sqliteError(517)],
	["state-unwritable", false, sqliteError(8)],
	["state-unwritable", false, sqliteError(1032)],
	["state-unwritable", false, sqliteError(778)],
	["state-unwritable", false, sqliteError(14)],
	["state-unwritable", false, systemError("EACCES")],
	["state-unwritable", false, systemError("EROFS")],
	["state-unwritable", false, systemError("ENOTDIR")],
	["disk-full", true, sqliteError(13)],
	["disk-full", true, sqliteError(4874)],
	["disk-full", true, systemError("ENOSPC")],
	["disk-full", true, systemError("EDQUOT")],
	["state-unreadable", false, sqliteError(11)],
	["state-unreadable", false, sqliteError(267)],
	["state-unreadable", false, sqliteError(26)],
])("%s, retryable %s: the fault names the file and a way out (%o)", (code, retryable, error) => {
	const fault = databaseFault(error, FILE);
	expect(fault).toMatchObject({ name: "Fault", code, retryable, cause: error });
	expect(fault).toMatchObject({
		message: textWith(FILE),
		hint: textWith("."),
	});
});

test.each([
	sqliteError(1),
	sqliteError(2067),
	systemError("ERR_INVALID_STATE"),
	new TypeError("x"),
	"text",
	null,
	undefined,
])("what is a bug in Sparring comes back as it is: %o", (error) => {
	expect(databaseFault(error, FILE)).toBe(error);
});

test("busy is told from other errors, extended codes included", () => {
	expect(
		[sqliteError(5), sqliteError(261), sqliteError(13), new Error("x"), null].map(isBusy),
	).toEqual([true, true, false, false, false]);
});
