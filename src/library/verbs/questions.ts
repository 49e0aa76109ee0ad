import type { AnswerRequest, RejectionProof } from "../answer-item.ts";
import { given, number, text, texts, verb } from "./fields.ts";

export const items = verb({
	named: "hil list",
	summary: "list the questions that wait for a person (the default)",
	fields: { runId: given("text") },
	places: ["runId"],
	access: "read",
	examples: ["spar hil list", "spar hil list --all", "spar hil list --json"],
	page: "people",
	run: async (own, { runId }: { readonly runId?: string | undefined }) => {
		const records = await own.records();
		if (records === null) return [];
		const run = runId === undefined ? undefined : (await own.run(runId)).runId;
		const found = await records.items(run);
		const open = found.filter(({ answer }) => answer === null);
		for (const id of new Set(open.map((item) => item.runId))) await own.withFiles(id, open);
		return (await import("../../human/human-item.ts")).asked(found);
	},
});

const ID = text("<id>", "id of the question", { isNeeded: true });

export interface OfItem {
	readonly id: string;
}

export const item = verb({
	named: "hil show",
	summary: "show a question with everything needed to decide",
	fields: { id: ID },
	places: ["id"],
	access: "read",
	examples: ["spar hil show n07a4w", "spar hil show n07a4w | less", "spar hil show n07a4w --json"],
	page: "people",
	run: async (own, { id }: OfItem) => {
		const { findItem } = await import("../answer-item.ts");
		const found = await findItem((await own.existing()).records, id);
		return await own.withFiles(found.runId, found);
	},
});

export const ackItem = verb({
	named: "hil ack",
	summary: "say that you have seen a question",
	fields: { id: ID },
	places: ["id"],
	access: "write",
	examples: [
		"spar hil ack n07a4w",
		"spar hil ack n07a4w --json",
		"spar hil ack n07a4w && spar hil show n07a4w",
	],
	page: "people",
	run: async (own, { id }: OfItem) => {
		const answering = await import("../answer-item.ts");
		return await answering.ackItem((await own.existing()).records, id);
	},
});

const PROOF = {
	version: text(
		"--version <version>",
		"refuse if the question changed since `hil show --json` gave this version",
	),
	by: given("text"),
} as const;

export const resolveItem = verb({
	named: "hil resolve",
	summary: "answer yes or try again; or choose a side, give a directive or add budget",
	fields: {
		id: ID,
		take: text(
			"--take <side>",
			"take the side of the player, the coach, or an agent by name; or unverified",
		),
		directive: text("--directive <text>", "tell the player what to do, for one more turn"),
		finding: texts(
			"--finding <id...>",
			"the findings that the answer is for, if several conflicts wait",
		),
		addUsd: number("--add-usd <n>", "add dollars to the spent budget"),
		addWall: text("--add-wall <duration>", "add time to the spent budget, such as 30m"),
		notes: text("--notes <text>", "remarks to keep with the answer"),
		...PROOF,
	},
	places: ["id", "..."],
	access: "write",
	examples: [
		"spar hil resolve n07a4w",
		'spar hil resolve n07a4w --directive "keep the old format"',
		"spar hil resolve n07a4w --finding F1 F2 --take coach",
	],
	page: "people",
	run: async (own, { id, ...request }: OfItem & AnswerRequest) => {
		const answering = await import("../answer-item.ts");
		return await answering.resolveItem((await own.existing()).records, id, {
			...own.place,
			...request,
		});
	},
});

export const rejectItem = verb({
	named: "hil reject",
	summary: "answer no: the task fails with the reason",
	fields: {
		id: ID,
		reason: text("--reason <text>", "why", { isNeeded: true }),
		notes: given("text"),
		...PROOF,
	},
	places: ["id", "reason"],
	access: "write",
	examples: [
		'spar hil reject n07a4w --reason "no longer wanted"',
		'spar hil reject n07a4w --reason "no longer wanted" --json',
		'spar hil reject n07a4w --reason "wrong approach" && spar resume',
	],
	page: "people",
	run: async (own, { id, ...no }: OfItem & RejectionProof & { readonly reason: string }) => {
		const answering = await import("../answer-item.ts");
		return await answering.rejectItem((await own.existing()).records, id, { ...own.place, ...no });
	},
});
