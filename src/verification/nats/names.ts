import type { NatsSettings } from "../../workflow/nats-settings.ts";

type Names = Pick<
	NatsSettings,
	"resultSubjectPrefix" | "contextSubjectPrefix" | "streamName" | "consumerName"
>;

/** A name as one part of a subject: a dot would begin another part, and what is not allowed is spelled by its code. */
function part(name: string): string {
	return name.replaceAll(
		/[^A-Za-z0-9_-]/g,
		(character) => `=${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
	);
}

/** Subject of the results of a task, such as `workflow.result.test-verifier.20261123-0900-k3f9.limiter`. */
export function resultSubject({ resultSubjectPrefix }: Names, run: string, task: string): string {
	return `${resultSubjectPrefix}.${part(run)}.${part(task)}`;
}

export function contextKey({ contextSubjectPrefix }: Names, id: string): string {
	return [contextSubjectPrefix, ...id.split("/").map(part)].join(".");
}

export function presenceSubject({ streamName, consumerName }: Names): string {
	return `sparring.presence.${streamName}.${consumerName}`;
}
