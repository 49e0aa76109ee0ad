// Preloaded with `node --import`: a machine that fails while this process works, as files of HOME say.
//
// `clock` holds milliseconds by which the clock was set: it may change at any time. `database` holds a result code of
// SQLite (https://sqlite.org/rescode.html) with which every statement that changes something fails, such as 13 on a full
// disk and 8 for a file that cannot be written; without the file everything works.
import fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync, StatementSync } from "node:sqlite";

const { readFileSync } = fs;
const RealDate = Date;

function numberIn(name) {
	try {
		return Number(readFileSync(join(process.env["HOME"], name), "utf8"));
	} catch {
		return 0;
	}
}

const now = () => RealDate.now() + numberIn("clock");

globalThis.Date = class extends RealDate {
	constructor(...args) {
		super(...(args.length === 0 ? [now()] : args));
	}
	static now() {
		return now();
	}
};

function refusing(object, name, isChange) {
	const original = object[name];
	object[name] = function statement(...args) {
		const errcode = isChange(...args) ? numberIn("database") : 0;
		if (errcode !== 0) {
			const error = new Error(`result code ${errcode}`);
			throw Object.assign(error, { code: "ERR_SQLITE_ERROR", errcode });
		}
		return Reflect.apply(original, this, args);
	};
}

refusing(DatabaseSync.prototype, "exec", (sql) => sql === "COMMIT");
refusing(StatementSync.prototype, "run", () => true);
