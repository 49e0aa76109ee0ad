// Preloaded with `node --import`: this process runs on a machine called SPAR_TEST_HOST, whose clock is SPAR_TEST_CLOCK
// milliseconds ahead, or behind where that is negative.

import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import process from "node:process";

const host = process.env["SPAR_TEST_HOST"] ?? os.hostname();
const ahead = Number(process.env["SPAR_TEST_CLOCK"] ?? 0);

os.hostname = () => host;
syncBuiltinESMExports();

const RealDate = Date;

globalThis.Date = class extends RealDate {
	constructor(...args) {
		super(...(args.length === 0 ? [RealDate.now() + ahead] : args));
	}
	static now() {
		return RealDate.now() + ahead;
	}
};
