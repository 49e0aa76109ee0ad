import type { Trigger } from "../human/human-item.ts";
import type { ResumeNode, Update } from "./state.ts";

/** The task cannot go on without a person (HIL off: it fails with the trigger as its flag). */
export function halt(trigger: Trigger, reason: string, resumeAt: ResumeNode): Update {
	return { next: "halt", trigger, reason, resumeAt };
}
