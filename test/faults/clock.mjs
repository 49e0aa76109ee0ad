// Preloaded with `node --import`: the clock of this process is SPAR_TEST_CLOCK_MS milliseconds ahead.
import process from "node:process";

const ahead = Number(process.env["SPAR_TEST_CLOCK_MS"]);
const RealDate = Date;
const now = () => RealDate.now() + ahead;

globalThis.Date = class extends RealDate {
	constructor(...args) {
		super(...(args.length === 0 ? [now()] : args));
	}
	static now() {
		return now();
	}
};
