import { renderFindings } from "../terminal/render-findings.ts";
import { verbCommand } from "../terminal/verb-command.ts";

export const command = verbCommand("findings", {
	show: (all, { paint }) =>
		all.length === 0 ? { note: "no findings" } : { text: renderFindings(all, paint) },
});
