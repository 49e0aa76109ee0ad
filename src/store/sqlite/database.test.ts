import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase, setAside } from "./database.ts";
import { createSchema, schemaKind } from "./schema.ts";

/** Typed, as vitest gives `any`. */
const textWith = (part: string): unknown => expect.stringContaining(part);

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-database-"));
	file = join(directory, "state", "a b'\n\"ü", "sparring.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

const STEP = "INSERT INTO leases (run_id, scope, epoch, host) VALUES (?, 'run', 1, ?)";

test("opening creates the directory and a database that syncs every commit", () => {
	const db = openDatabase(file);
	const pragma = (name: string): unknown => Object.values(db.get(`PRAGMA ${name}`) ?? {})[0];
	const settings = [
		"journal_mode",
		"synchronous",
		"busy_timeout",
		"foreign_keys",
		"wal_autocheckpoint",
	];
	expect(settings.map(pragma)).toEqual(["wal", 2, 10_000, 1, 1_000]);
	expect(schemaKind(db)).toBe("current");
	db.close();
	db.close();
});

test("whoever uses a database after it was closed is told so", () => {
	const db = openDatabase(file);
	db.run(STEP, "r", "h");
	db.close();
	const fault = expect.objectContaining({
		code: "usage",
		message: `the state database ${file} was closed while it was in use`,
	}) as Error;
	expect(() => db.run(STEP, "r", "h")).toThrow(fault);
	expect(() => db.all("SELECT run_id FROM leases")).toThrow(fault);
	expect(() => db.immediate(() => null)).toThrow(fault);
});

test("opening again keeps what is there", () => {
	const first = openDatabase(file);
	first.run(STEP, "r", "h");
	first.close();
	const second = openDatabase(file);
	createSchema(second);
	expect(second.all("SELECT run_id FROM leases")).toEqual([{ run_id: "r" }]);
	second.close();
});

test("a transaction that throws leaves nothing and the connection usable", () => {
	const db = openDatabase(file);
	const failing = (): void =>
		db.immediate(() => {
			db.run(STEP, "r", "h");
			throw new Error("in between");
		});
	expect(failing).toThrow("in between");
	expect(db.all("SELECT * FROM leases")).toEqual([]);
	db.immediate(() => db.run(STEP, "r", "h"));
	expect(db.snapshot(() => db.all("SELECT run_id FROM leases"))).toHaveLength(1);
	db.close();
});

test("a regular file in the place of the directory is state-unwritable, and so is a place under /proc", () => {
	writeFileSync(join(directory, "state"), "");
	expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: "state-unwritable" }));
	const nowhere = (): unknown => openDatabase("/proc/none/of/this/sparring.db");
	expect(nowhere).toThrow(expect.objectContaining({ code: "state-unwritable" }));
});

test("a directory in the place of the file is state-unwritable and named", () => {
	expect(() => openDatabase(directory)).toThrow(
		expect.objectContaining({
			code: "state-unwritable",
			message: textWith(directory),
		}),
	);
});

test("a read-only connection reads, and a write through it is state-unwritable", () => {
	openDatabase(file).close();
	const db = openDatabase(file, { readOnly: true });
	expect(db.all("SELECT * FROM leases")).toEqual([]);
	expect(() => db.run(STEP, "r", "h")).toThrow(
		expect.objectContaining({ code: "state-unwritable" }),
	);
	db.close();
});

test("reading where nothing is creates nothing and says so", () => {
	const reading = (): unknown => openDatabase(file, { readOnly: true });
	expect(reading).toThrow(expect.objectContaining({ code: "state-unreadable" }));
	expect(existsSync(join(directory, "state"))).toBe(false);
});

test("a file whose making was cut short is completed for a reader", () => {
	const empty = join(directory, "sparring.db");
	writeFileSync(empty, "");
	const db = openDatabase(empty, { readOnly: true });
	expect(db.all("SELECT * FROM runs")).toEqual([]);
	db.close();
});

test.each([{}, { readOnly: true }])(
	"a file that is no database is refused unchanged (%o)",
	(options) => {
		const other = join(directory, "sparring.db");
		const content = "these are notes and no database\n".repeat(200);
		writeFileSync(other, content);
		expect(() => openDatabase(other, options)).toThrow(
			expect.objectContaining({
				code: "state-unreadable",
				message: textWith(other),
			}),
		);
		expect(readFileSync(other, "utf8")).toBe(content);
	},
);

test("a damaged page is state-unreadable when it is read", () => {
	const db = openDatabase(file);
	db.immediate(() => {
		for (let index = 0; index < 200; index += 1) db.run(STEP, `run-${index}`, "h".repeat(500));
	});
	db.close();
	const bytes = readFileSync(file);
	writeFileSync(file, bytes.fill(0x5a, 4_096 * 2));
	const reading = (): unknown => openDatabase(file, { readOnly: true }).all("SELECT * FROM leases");
	expect(reading).toThrow(expect.objectContaining({ code: "state-unreadable" }));
});

test.each([{}, { readOnly: true }])("a newer database is refused unchanged (%o)", (options) => {
	const db = openDatabase(file);
	db.exec("PRAGMA user_version = 3");
	db.close();
	const before = readFileSync(file);
	expect(() => openDatabase(file, options)).toThrow(
		expect.objectContaining({ code: "state-too-new" }),
	);
	expect(readFileSync(file).equals(before)).toBe(true);
});

test("a database of an earlier version is refused unchanged", () => {
	const db = openDatabase(file);
	db.exec("PRAGMA user_version = 1");
	db.close();
	const before = readFileSync(file);
	expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: "state-too-old" }));
	expect(readFileSync(file).equals(before)).toBe(true);
});

test("a full disk is a fault that may pass, and what was saved before is intact", () => {
	const db = openDatabase(file);
	db.run(STEP, "before", "h");
	const pages = Number(db.get("PRAGMA page_count")?.["page_count"]);
	db.exec(`PRAGMA max_page_count = ${pages}`);
	const filling = (): void =>
		db.immediate(() => {
			for (let index = 0; index < 500; index += 1) db.run(STEP, `run-${index}`, "h".repeat(500));
		});
	expect(filling).toThrow(expect.objectContaining({ code: "disk-full", retryable: true }));
	expect(db.all("SELECT run_id FROM leases")).toEqual([{ run_id: "before" }]);
	db.exec(`PRAGMA max_page_count = ${pages * 100}`);
	filling();
	expect(db.all("SELECT run_id FROM leases")).toHaveLength(501);
	db.close();
});

test("a mistake in a statement is a bug, not a fault", () => {
	const db = openDatabase(file);
	expect(() => db.get("SELEC 1")).toThrow(expect.objectContaining({ code: "ERR_SQLITE_ERROR" }));
	db.close();
});

test("what a file holds is one look: tables that another process makes meanwhile do not count as foreign", () => {
	openDatabase(file).close();
	writeFileSync(file, "");
	const looking = new DatabaseSync(file);
	const other = new DatabaseSync(file);
	const kind = schemaKind({
		get: (sql) => {
			const row = looking.prepare(sql).get();
			if (other.prepare("SELECT 1 FROM sqlite_schema").get() === undefined)
				other.exec(
					"CREATE TABLE t (a); PRAGMA application_id = 0x53504152; PRAGMA user_version = 1",
				);
			return row;
		},
	});
	expect(kind).toBe("empty");
	looking.close();
	other.close();
});

test("tables are made once, by the first process", () => {
	const db = openDatabase(file);
	db.exec("PRAGMA user_version = 3");
	createSchema(db);
	expect(schemaKind(db)).toBe("newer");
	db.close();
});

/** A database as the programs of before the first release made it: a version, and no mark. */
function oldDatabase(version: number, table = "runs"): void {
	openDatabase(file).close();
	rmSync(file);
	const old = new DatabaseSync(file);
	old.exec(`PRAGMA journal_mode = WAL; CREATE TABLE ${table} (run_id TEXT);
		INSERT INTO ${table} VALUES ('r'); PRAGMA user_version = ${version}`);
	old.close();
}

test.each([
	[4, "runs"],
	[1, "runs"],
	[0, "recipes"],
	[7, "recipes"],
])("a database of version %i without the mark is refused unchanged", (version, table) => {
	oldDatabase(version, table);
	const before = readFileSync(file);
	for (const options of [{}, { readOnly: true }])
		expect(() => openDatabase(file, options)).toThrow(
			expect.objectContaining({ code: "state-too-old", hint: textWith("`spar prune`") }),
		);
	expect(readFileSync(file).equals(before)).toBe(true);
});

test("an old database is set aside whole, and a new one takes its place", () => {
	for (const name of [`${file}.old`, `${file}.old-2`]) {
		oldDatabase(4);
		expect(setAside(file)).toBe(name);
		expect(existsSync(`${file}-wal`)).toBe(false);
		const old = new DatabaseSync(name);
		expect(old.prepare("SELECT run_id FROM runs").all()).toEqual([{ run_id: "r" }]);
		old.close();
	}
	openDatabase(file).close();
});

test("what is in use, current or not there is not set aside", () => {
	expect(setAside(file)).toBeNull();
	oldDatabase(4);
	const user = new DatabaseSync(file);
	user.exec("BEGIN; SELECT * FROM runs");
	user.prepare("SELECT * FROM runs").get();
	expect(() => setAside(file)).toThrow(expect.objectContaining({ code: "state-unwritable" }));
	user.close();
	rmSync(file);
	openDatabase(file).close();
	expect(setAside(file)).toBeNull();
	expect(existsSync(file)).toBe(true);
});

test("table conflicts has the columns and types that other programs read", () => {
	const db = openDatabase(file);
	const columns = db.all("SELECT name, type, pk FROM pragma_table_info('conflicts')");
	expect(columns.map(({ name, type, pk }) => [name, type, pk])).toEqual([
		["conflict_id", "TEXT", 1] as const,
		["thread_id", "TEXT", 0] as const,
		["task_id", "TEXT", 0] as const,
		["developer_verdict", "TEXT", 0] as const,
		["reviewer_verdict", "TEXT", 0] as const,
		["resolution", "TEXT", 0] as const,
		["tie_breaker_decision", "TEXT", 0] as const,
		["rationale", "TEXT", 0] as const,
		["escalation_reason", "TEXT", 0] as const,
		["attempt_count", "INTEGER", 0] as const,
		["resolved_at", "TEXT", 0],
	]);
	db.close();
});

test.each<[string, () => void]>([
	["deleted", () => rmSync(join(directory, "state"), { recursive: true })],
	[
		"replaced",
		() => {
			rmSync(file);
			writeFileSync(file, "");
		},
	],
])(
	"a database that was %s while it was open is lost: nothing is believed any more",
	(how, lose) => {
		const db = openDatabase(file);
		const lost: unknown = expect.objectContaining({ code: "state-lost", message: textWith(how) });
		db.requireFile();
		lose();
		expect(() => db.requireFile()).toThrow(lost);
		const until = performance.now() + 1_000;
		const write = (): void => {
			while (performance.now() < until) db.immediate(() => db.run("UPDATE leases SET epoch = 2"));
		};
		expect(write).toThrow(lost);
		const read = (): void => {
			while (performance.now() < until) db.get("SELECT count(*) FROM leases");
		};
		expect(read).toThrow(lost);
		db.close();
	},
);
