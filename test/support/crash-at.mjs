// Preloaded with `node --import`: ends this process with SIGKILL at its n-th effect, n from SPAR_TEST_CRASH_AT.
//
// An effect is what a killed process may leave half done: a database statement, a change in the file system, the
// start of a child. `effect.N.before` kills instead of the effect, `effect.N.after` when it was begun or, where it
// is synchronous, done; `commit.N.after` is the same for the n-th transaction, between which all windows lie. Without the variable the effects are counted and written to SPAR_TEST_CRASH_COUNT.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { DatabaseSync, StatementSync } from "node:sqlite";

const [kind = "effect", at = "0", side = "before"] = (
	process.env["SPAR_TEST_CRASH_AT"] ?? ""
).split(".");
const countFile = process.env["SPAR_TEST_CRASH_COUNT"];
const target = Number(at);
let effects = 0;
let commits = 0;

function end() {
	process.kill(process.pid, "SIGKILL");
}

function counted(object, name) {
	const original = object[name];
	object[name] = function effect(...args) {
		const isCommit = name === "exec" && args[0] === "COMMIT";
		effects += 1;
		commits += isCommit ? 1 : 0;
		const mine = kind === "commit" ? isCommit && commits === target : effects === target;
		if (mine && side === "before") end();
		const result = Reflect.apply(original, this, args);
		if (mine && side === "after") end();
		return result;
	};
}

for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"]) counted(childProcess, name);
for (const name of [
	...["mkdir", "rm", "rmdir", "unlink", "rename", "writeFile", "appendFile", "symlink", "link"],
	...["copyFile", "cp", "chmod", "utimes", "truncate", "open"],
])
	counted(fs.promises, name);
for (const name of ["mkdirSync", "rmSync", "writeFileSync", "renameSync", "appendFileSync"])
	counted(fs, name);
counted(DatabaseSync.prototype, "exec");
counted(StatementSync.prototype, "run");
syncBuiltinESMExports();

if (countFile !== undefined) process.on("exit", () => fs.writeFileSync(countFile, String(effects)));
