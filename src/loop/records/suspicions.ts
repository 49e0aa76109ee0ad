import type { Finding } from "../../review/finding.ts";
import {
	judgedSuspicions,
	type Suspected,
	shownSuspicion,
} from "../../review/suspicion-answers.ts";
import { stepWrite, type Write } from "../../store/records.ts";
import type { TaskLog } from "../task-log.ts";
import { answersStep } from "../task-reader.ts";

/** What is known of a turn's suspicions after somebody answered, for later turns and the trace; nothing where there are none. */
export function suspicionsAnswered(
	log: TaskLog,
	suspected: Suspected,
	findings: readonly Finding[],
): Write[] {
	if (suspected.suspicions.length === 0) return [];
	const suspicions = judgedSuspicions(suspected, findings).map(shownSuspicion);
	return [
		stepWrite(answersStep(log), suspected.answers),
		log.event("suspicions-answered", { suspicions }),
	];
}
