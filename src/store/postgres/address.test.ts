import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { jobsSchemaOf, storeAddress } from "./address.ts";

test("a schema is Sparring's to read, all other parameters are the driver's", () => {
	expect(storeAddress("postgresql://u@db:5433/x?schema=team_1&sslmode=require")).toEqual({
		connection: "postgresql://u@db:5433/x?sslmode=require",
		options: "-c search_path=team_1",
		schema: "team_1",
		shown: "postgres://u@db:5433/x?schema=team_1",
	});
});

test.each(["shcema", "Schema", "schemas", "shema"])(
	"a parameter %s is taken for a typing mistake, since another schema would be used without a word",
	(name) => {
		const fault = thrownBy(() => storeAddress(`postgres://db/x?${name}=team`));
		expect(fault).toMatchObject({
			code: "usage",
			hint: expect.stringContaining("schema") as unknown,
		});
	},
);

test("settings of the session that an address names stay", () => {
	const { connection, options } = storeAddress("postgres://db/x?options=-c%20work_mem%3D8MB");
	expect(connection).toBe("postgres://db/x");
	expect(options).toBe("-c work_mem=8MB -c search_path=sparring");
});

test("what is shown has no password, wherever the address has it", () => {
	const { shown } = storeAddress("postgres://spar:secret@db/x?password=secret");
	expect(shown).toBe("postgres://spar@db/x");
});

test.each(["", "sparring.db", "mysql://u:secret@db/x", "postgres://u:secret@:x:/"])(
	"%j is no address, and no part of it is repeated",
	(address) => {
		const fault = thrownBy(() => storeAddress(address));
		expect(fault).toMatchObject({ code: "usage" });
		expect(`${fault.message} ${fault.hint}`).not.toContain("secret");
	},
);

test("the longest schema leaves room for that of the jobs, of which pg-boss takes 50 letters", () => {
	const schema = "x".repeat(45);
	expect(storeAddress(`postgres://db/x?schema=${schema}`)).toMatchObject({ schema });
	expect(jobsSchemaOf(schema)).toHaveLength(50);
});

test.each([
	"Team",
	"a-b",
	"1st",
	"",
	"x".repeat(46),
	'x"; DROP SCHEMA public',
	"pg_mine",
	"pg_catalog",
	"information_schema",
])("%j is no schema", (schema) => {
	const address = `postgres://db/x?schema=${encodeURIComponent(schema)}`;
	expect(thrownBy(() => storeAddress(address))).toMatchObject({ code: "usage" });
});

function thrownBy(work: () => unknown): Fault {
	try {
		work();
	} catch (error) {
		if (error instanceof Fault) return error;
	}
	throw new Error("no Fault was thrown");
}
