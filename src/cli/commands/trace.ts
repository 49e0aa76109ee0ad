import { renderTrace } from "../terminal/render-trace.ts";
import { verbCommand } from "../terminal/verb-command.ts";

export const command = verbCommand("trace", {
	show: (file, { paint }) => ({ text: renderTrace(file, paint) }),
});
