import { calibrationOf } from "../../confidence/calibration-of.ts";
import { calibrationRows } from "../../store/scores.ts";
import { verb } from "./verb.ts";

export const calibration = verb({
	fields: {},
	places: [],
	access: "read",
	examples: [
		"spar calibration",
		"spar calibration --json",
		"spar calibration --json | jq '.[].agent'",
	],
	run: async (own) => {
		const records = await own.records();
		return records === null ? [] : calibrationOf(calibrationRows(await records.scores()));
	},
});
