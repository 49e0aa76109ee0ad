import { counted } from "../../kernel/counted.ts";
import { countAt } from "../../kernel/fields.ts";
import { checkBehind } from "../../kernel/replayed.ts";
import { textAt } from "../../kernel/text-at.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import {
	because,
	byEvent,
	type EventTable,
	shortBecause,
	shownScore,
} from "../events/event-parts.ts";
import { eventText } from "../events/event-text.ts";
import {
	renderCheckName,
	renderUntried,
	suspicionText,
	weakenedLines,
	withCause,
} from "../evidence-text.ts";
import { plain, type Tone } from "../states.ts";

/** Line of the default story. `label`: `turn 2`, `merged`; empty below such a line. `ms`: duration of what it tells. */
export interface StoryLine {
	readonly label: string;
	readonly text: string;
	readonly tone?: Tone | undefined;
	readonly ms?: number | undefined;
}

/** Parts of a turn until its line is told. */
export interface TurnStory {
	readonly number: number;
	readonly since: number;
	readonly parts: string[];
	readonly checklist: { passed: number; total: number };
	readonly notes: StoryLine[];
	/** What the wall cannot decide, by id, until somebody accepts it. */
	readonly suspicions: Map<string, StoryLine>;
	readonly findings: StoryLine[];
	/** Ids of findings by what became of them. */
	readonly settled: Map<string, string[]>;
	judged: EventData["turn-judged"] | null;
	gate: EventData["gate-evaluated"] | null;
}

export const newTurn = (number: number, since: number): TurnStory => ({
	number,
	since,
	parts: [],
	checklist: { passed: 0, total: 0 },
	notes: [],
	suspicions: new Map(),
	findings: [],
	settled: new Map(),
	judged: null,
	gate: null,
});

/** More findings of a turn are counted. */
const MOST_FINDINGS = 10;

export const listed = (parts: readonly string[]): string =>
	parts.filter((part) => part !== "").join(", ");

export const storyLine = (text: string, tone?: Tone): StoryLine => ({ label: "", text, tone });

/** @example `"tests 5/6, 1 skipped"`; a check without counts gives `"lint pass"` */
export function checkText({
	check,
	status,
	counts,
}: Pick<EventData["check-ran"], "check" | "status" | "counts">): string {
	const [passed, total] = [countAt(counts, "passed"), countAt(counts, "total")];
	const name = oneLine(check);
	if (passed === null || total === null) return `${name} ${status}`;
	const others = ["skipped", "known_failing"].map((key) => {
		const count = countAt(counts, key) ?? 0;
		return count === 0 ? "" : `, ${count} ${plain(key)}`;
	});
	return `${name} ${passed}/${total}${others.join("")}`;
}

function noteCheck(turn: TurnStory, ran: EventData["check-ran"]): void {
	const { check, item, status, reason, said, mutants } = ran;
	if (item !== undefined) {
		turn.checklist.total += 1;
		turn.checklist.passed += status === "pass" ? 1 : 0;
		return;
	}
	// The base's own tests are told where they do not pass: their pass says nothing new.
	if (checkBehind(ran) === check) turn.parts.push(checkText(ran));
	if (mutants !== undefined)
		turn.parts.push(`mutants ${mutants.detected}/${mutants.detected + mutants.undetected}`);
	if (status === "pass") return;
	const why = because(withCause(said, reason), 400);
	const tone = status === "fail" || status === "error" ? "bad" : "attention";
	turn.notes.push(storyLine(`${renderCheckName(ran)}: ${status}${why}`, tone));
}

function noteFinding(
	turn: TurnStory,
	event: StoredEvent,
	change: EventData["finding-changed"],
): void {
	const { finding, state, severity, issue, blocking, file } = change;
	const id = oneLine(finding);
	if (state !== "open" && state !== "reopened") {
		const ids = turn.settled.get(state) ?? [];
		turn.settled.set(state, [...ids, id]);
		// What was said for a side is news; that what was open is fixed is not.
		if (state === "disputed") turn.notes.push(storyLine(eventText(event).short ?? "", "attention"));
		return;
	}
	const place = file === undefined ? "" : `${oneLine(textAt(change))}  `;
	const again = state === "open" ? "" : ", open again";
	const free = blocking ? "" : " (does not block)";
	const head = `${id} ${severity}${again}`;
	const tone = blocking ? "attention" : undefined;
	turn.findings.push(storyLine(`${head}  ${place}${oneLine(issue, 300)}${free}`, tone));
}

/** Text of an event that says more about the turn than its line can. */
const note =
	(_data: unknown, event: StoredEvent): Part =>
	(turn) => {
		const { short, tone } = eventText(event);
		if (short !== undefined) turn.notes.push(storyLine(short, tone));
	};

type Part = (turn: TurnStory) => void;

const PARTS: EventTable<Part> = {
	"snapshot-taken":
		({ changed, empty, lines }) =>
		(turn) => {
			const counts = lines === undefined ? "" : ` +${lines.added} -${lines.removed}`;
			turn.parts.push(empty ? "nothing changed" : `${counted(changed, "file")}${counts}`);
		},
	"check-ran": (ran) => (turn) => noteCheck(turn, ran),
	"verification-decided":
		({ required, verdict }, event) =>
		(turn) => {
			if (!required) return;
			turn.parts.push(`verification ${verdict}`);
			if (verdict !== "passed") note(null, event)(turn);
		},
	"integrity-checked":
		({ violations, notes, weakened = [], suspicions = [], allowed = [] }) =>
		(turn) => {
			for (const text of violations) turn.notes.push(storyLine(oneLine(text, 400), "bad"));
			for (const text of weakened.flatMap(weakenedLines)) turn.notes.push(storyLine(text, "bad"));
			for (const text of notes) turn.notes.push(storyLine(oneLine(`note: ${text}`), "attention"));
			for (const { path, change, reason } of allowed)
				turn.notes.push(
					storyLine(oneLine(`allowed: ${change} of ${path} (${reason})`), "attention"),
				);
			for (const { id, text, ...at } of suspicions) {
				const told = oneLine(`suspicion ${id}: ${textAt(at)}: ${text}`, 120);
				turn.suspicions.set(id, storyLine(told, "attention"));
			}
		},
	"suspicions-answered":
		({ suspicions }) =>
		(turn) => {
			const accepted = suspicions.filter(({ ok }) => ok === true);
			for (const { id } of accepted) turn.suspicions.delete(id);
			if (accepted.length > 0) turn.parts.push(`${counted(accepted.length, "suspicion")} accepted`);
			for (const each of suspicions)
				if (each.ok === false)
					turn.suspicions.set(each.id, storyLine(suspicionText(each), "attention"));
		},
	"confidence-scored":
		({ score, warnings }) =>
		(turn) => {
			turn.parts.push(`score ${shownScore(score)}`);
			for (const text of warnings)
				turn.notes.push(storyLine(`warning: ${oneLine(text, 400)}`, "attention"));
		},
	"turn-judged": (judged) => (turn) => {
		turn.judged = judged;
	},
	"gate-evaluated": (gate) => (turn) => {
		turn.gate = gate;
	},
	"finding-changed": (change, event) => (turn) => noteFinding(turn, event, change),
	"turn-routed":
		({ route, ...why }) =>
		(turn) => {
			// A coach's verdict says the same.
			const reason = shortBecause(why);
			if (route === "feedback" && !turn.judged?.raw && reason !== "")
				turn.notes.push(storyLine(`again${reason}`, "attention"));
		},
	"claims-compared": note,
	"player-reported": note,
	"finding-ignored": note,
	"dispute-ignored": note,
};

/** Notes what an event says about a turn; false where it says nothing about it. */
export function noteTurn(turn: TurnStory, event: StoredEvent): boolean {
	if (event.type === "check-ran" && event.data.purpose !== "turn") return false;
	const part = byEvent(PARTS, event);
	part?.(turn);
	return part !== undefined;
}

function coachText(turn: TurnStory): readonly string[] {
	const { raw, effective, attempts } = turn.judged ?? { raw: null, effective: null };
	if (raw === null) return [];
	if (raw === "approve")
		return [
			`coach approves${renderUntried(raw, attempts)}${effective === raw ? "" : ", overruled"}`,
		];
	const { length } = turn.findings;
	return [length === 0 ? "coach: feedback" : `coach: ${counted(length, "finding")}`];
}

/** Reasons that the line's words do not give. */
function reasonNotes({ judged, gate, findings, notes }: TurnStory): StoryLine[] {
	if (notes.some(({ tone }) => tone === "bad")) return [];
	if (judged !== null && judged.effective !== judged.raw)
		return judged.reasons.map((text) => storyLine(oneLine(text, 400), "attention"));
	if (judged?.raw === "feedback" && findings.length === 0) {
		const why = judged.rationale.trim() || judged.reasons.join("; ");
		return why === "" ? [] : [storyLine(`the coach says: ${oneLine(why, 400)}`, "attention")];
	}
	return gate?.verdict === "FAIL" && judged?.raw !== "feedback"
		? [storyLine(`gate ${gate.verdict}${because(gate.rule, 400)}`, "bad")]
		: [];
}

/** Lines of what was noted of a turn; none where nothing was. */
export function turnLines(turn: TurnStory, endedAt: number): StoryLine[] {
	const { number, since, checklist, settled, notes, suspicions, findings } = turn;
	const { passed, total } = checklist;
	const parts = [
		...turn.parts,
		...(total === 0 ? [] : [`checklist ${passed}/${total}`]),
		...[...settled].map(([state, ids]) => `${ids.join(", ")} ${state}`),
		...coachText(turn),
	];
	const below = [
		...notes,
		...suspicions.values(),
		...reasonNotes(turn),
		...findings.slice(0, MOST_FINDINGS),
	];
	const more = findings.length - MOST_FINDINGS;
	if (more > 0) below.push(storyLine(`and ${counted(more, "more finding")}: spar findings`));
	if (parts.length === 0) return below;
	const tone = turn.judged?.effective === "approve" ? "good" : undefined;
	const label = `turn ${number}`;
	return [{ label, text: parts.join("   "), tone, ms: endedAt - since }, ...below];
}
