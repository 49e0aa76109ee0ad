// Completes package-lock.json with the optional packages of other platforms.
//
// npm leaves an optional package out of the lock file when the registry in use does not carry it,
// and `npm ci` then refuses the lock file as out of step. This adds an entry for each such package,
// with the platform read from its name, so that `npm ci` accepts the file and skips what is not for
// this machine. Run it after each `npm install` that changed the lock file.
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = "package-lock.json";
const SYSTEMS = [
	"aix",
	"android",
	"darwin",
	"freebsd",
	"linux",
	"netbsd",
	"openbsd",
	"openharmony",
	"sunos",
	"win32",
];
const ARCHES = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

const lock = JSON.parse(readFileSync(LOCK, "utf8"));
let added = 0;
for (const [owner, entry] of Object.entries(lock.packages)) {
	for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
		const path = `node_modules/${name}`;
		const nested = `${owner}/${path}`;
		if (lock.packages[path] ?? lock.packages[nested]) continue;
		const system = SYSTEMS.find((each) => name.includes(each));
		const arch = ARCHES.find((each) => name.includes(each));
		if (system === undefined) {
			if (!name.includes("wasm")) throw new Error(`${name}: no platform in the name`);
		}
		lock.packages[path] = {
			version: version.replace(/^[^\d]*/, ""),
			...(arch ? { cpu: [arch] } : { cpu: ["wasm32"] }),
			...(entry.dev ? { dev: true } : {}),
			optional: true,
			...(system ? { os: [system] } : {}),
		};
		added += 1;
	}
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${LOCK}: ${added} entries added\n`);
