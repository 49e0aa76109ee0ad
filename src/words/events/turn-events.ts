import { counted } from "../../kernel/counted.ts";
import { textAt } from "../../kernel/text-at.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { CriterionStatement } from "../../trace/criterion-statement.ts";
import type { EventData } from "../../trace/event.ts";
import {
	renderAttempts,
	renderCheckName,
	renderCounts,
	renderMutants,
	renderSurvivor,
	renderUntried,
	suspicionText,
	weakenedLines,
	withCause,
} from "../evidence-text.ts";
import { ROUTE_WORDS, toneOf } from "../states.ts";
import {
	atLength,
	because,
	below,
	bullets,
	type EventTable,
	type EventText,
	joined,
	LIMIT,
	longBecause,
	shortBecause,
	shownScore,
	took,
} from "./event-parts.ts";

const MAX_TEXT = 300;

const after = (text: string): string => (text === "" ? "" : `: ${oneLine(text, MAX_TEXT)}`);

function wallTexts({
	violations,
	weakened = [],
	suspicions = [],
	allowed = [],
	notes,
}: Omit<EventData["integrity-checked"], "status">): string[] {
	return [
		...violations,
		...weakened.map((place) => weakenedLines(place).join(" ")),
		...suspicions.map(({ id, text, ...at }) => `suspicion ${id}: ${textAt(at)}: ${text}`),
		...allowed.map(({ path, change, reason }) => `allowed: ${change} of ${path} (${reason})`),
		...notes,
	];
}

/** @example `"\n  met: refills at the rate (read the code; tests: refills)"` */
function statementLines(statements: readonly CriterionStatement[]): string {
	return statements
		.map(({ criterion, met, evidence, tests }) => {
			const named = tests.length === 0 ? null : `tests: ${tests.join(", ")}`;
			const shown = [evidence, named].filter((text) => text !== null).join("; ");
			return below(met ? "met: " : "unmet: ", `${criterion}${shown === "" ? "" : ` (${shown})`}`);
		})
		.join("");
}

/**
 * Findings have lines of their own; reasons stand here only where they make another verdict of the coach's, or where
 * it gave no words.
 */
function verdictText(judged: EventData["turn-judged"]): string {
	const { raw, effective, reasons, rationale, attempts } = judged;
	const untried = renderUntried(raw, attempts);
	const listed = joined(reasons);
	if (raw !== null && raw === effective) {
		const words = rationale.trim() === "" ? listed : `; the coach says${after(rationale)}`;
		return `verdict ${effective}${untried}${words}`;
	}
	const said = raw === null ? untried : ` (the coach said ${raw}${untried})`;
	return `verdict ${effective ?? "none"}${said}${listed}`;
}

/** @example `"finding F1, major, src/limiter.js:12: the bucket is never refilled"`, later `"F1 is fixed"` */
function findingChange(change: EventData["finding-changed"]): string {
	const { finding, state, severity, issue, blocking, argument, file } = change;
	const place = file === undefined ? "" : `, ${oneLine(textAt(change))}`;
	const said = after(argument?.text ?? "");
	const id = oneLine(finding);
	switch (state) {
		case "open": {
			const free = blocking ? "" : ", does not block";
			return `finding ${id}, ${severity}${place}${free}${after(issue)}`;
		}
		case "reopened":
			return `${id} is open again, ${severity}${place}${after(issue)}`;
		case "disputed":
			return `the player disputes ${id}${said}`;
		default:
			return `${id} is ${oneLine(state)}${said}`;
	}
}

function argumentLines(argument: EventData["finding-changed"]["argument"]): string {
	if (argument === undefined) return "";
	const { by, text, evidence } = argument;
	return `${below(`${by.replace("_", "-")}: `, text)}${below("evidence: ", evidence)}`;
}

const metricName = ({
	type,
	evaluator_agent: evaluator,
}: EventData["confidence-scored"]["metrics"][number]): string =>
	evaluator === undefined ? type : `${type} (${evaluator})`;

/** @example `"confidence 0.85 (composite, threshold 0.80 met): test_coverage 0.85, mutation_score unknown"` */
function scoreText({
	mode,
	score,
	threshold,
	advisory,
	metrics,
}: EventData["confidence-scored"]): string {
	const parts = metrics.map(
		(metric) =>
			`${metricName(metric)} ${metric.score === null ? "unknown" : shownScore(metric.score)}`,
	);
	const met = advisory === null ? "not met" : "met";
	const of = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
	return oneLine(
		`confidence ${shownScore(score)} (${mode}, threshold ${shownScore(threshold)} ${met})${of}`,
	);
}

function scoreParts({ warnings, metrics }: EventData["confidence-scored"]): string[] {
	return [
		...warnings.map((text) => `warning: ${text}`),
		...metrics.map((metric) => {
			const { rationale = "", reason } = metric;
			return `${metricName(metric)}: ${reason}${rationale === "" ? "" : `: ${rationale}`}`;
		}),
	];
}

function settlementText(settled: EventData["conflict-resolved"], limit: number): string {
	const { finding, attempt, resolution, rationale, escalation_reason: reason } = settled;
	const why = resolution === "AUTO" ? rationale : reason;
	const what = resolution === "AUTO" ? outcome(settled) : "a person has to decide";
	const said = why === null || why === "" ? "" : `: ${oneLine(why, limit)}`;
	return `conflict over ${oneLine(finding)}, attempt ${attempt}: ${what}${said}`;
}

function outcome({
	decision,
	tie_breaker: agent,
	upheld_by: upholder = "coach",
}: EventData["conflict-resolved"]): string {
	const who = agent === null ? "the tie-breaker" : `the tie-breaker ${oneLine(agent)}`;
	return decision === "PASS"
		? `PASS, ${who} takes the player's side`
		: `FAIL, ${who} takes the ${upholder}'s side`;
}

const kindBeside = (kind: string, check: string): string =>
	check === kind || check.startsWith(`${kind}:`) ? "" : `${kind}, `;

export const EVIDENCE = {
	"check-ran": ({ kind, purpose, status, reason, said, ms, counts, mutants, ...ran }) => {
		const cases = renderCounts(counts);
		const found = `${status}${cases === "" ? "" : `, ${cases}`}${mutants === undefined ? "" : `, ${renderMutants(mutants)}`}`;
		const survived = bullets((mutants?.survivors ?? []).map(renderSurvivor));
		const why = withCause(said, reason);
		const isAgain = ran.reused !== undefined;
		const of = isAgain ? `${purpose}, not run again` : purpose;
		return {
			short: `${renderCheckName(ran)}${of === "turn" ? "" : ` (${of})`}: ${found}${because(why)}`,
			long: `${renderCheckName(ran)} (${kindBeside(kind, ran.check)}${purpose}): ${found}${isAgain ? `, as at ${ran.reused}` : took(ms)}${because(why, LIMIT)}${survived}`,
			tone: toneOf(status),
		};
	},
	"tests-taken": ({ call, files, left }) => ({
		short: `the verifier wrote ${counted(files.length, "test file")}${left.length === 0 ? "" : `; not taken: ${oneLine(left.join(", "), 200)}`}`,
		long: `tests taken from the verifier's call ${call}${bullets(files)}${left.length === 0 ? "" : `\n  not taken:${bullets(left)}`}`,
	}),
	"verification-ran": ({ suite, place, status, problem, ms, cases }) => ({
		short: `the verifier's tests (${place}): ${status === "none" ? (problem ?? "no result") : status}`,
		long: `tests ${suite} on the ${place}: ${problem ?? status}${cases === null ? "" : `, ${cases} ran`}${took(ms)}`,
		tone: toneOf(status),
	}),
	"verification-decided": ({ verdict, required, reasons, tests, attempts }) => ({
		short: required ? `verification ${verdict}${joined(reasons)}` : undefined,
		long: `verification: ${verdict}${attempts === 0 ? "" : `, attempt ${attempts}`}${bullets(reasons)}${bullets(tests.map(({ name, status }) => `${status}: ${name}`))}`,
		tone: toneOf(verdict),
	}),
	"integrity-checked": ({ status, ...found }) => {
		const texts = wallTexts(found);
		return {
			short:
				status === "pass" && texts.length === 0
					? undefined
					: `integrity: ${status}${joined(texts)}`,
			long: `integrity: ${status}${bullets(texts)}`,
			tone: toneOf(status),
		};
	},
	"suspicions-answered": ({ suspicions }) => ({
		short: `suspicions${joined(suspicions.map(suspicionText))}`,
		long: `suspicions:${bullets(suspicions.map(suspicionText))}`,
	}),
	"replay-planned": ({ purpose, differs, restored, left_out: leftOut }) =>
		differs === "none"
			? {
					long: `no file of the tests differs, so the run of the checks (${purpose}) is that of the base's tests, too`,
				}
			: {
					short: `the base's tests on the work${purpose === "turn" ? "" : ` (${purpose})`}: ${counted(restored.length, "file")} put back${leftOut.length === 0 ? "" : `, ${leftOut.length} left out`}`,
					long: `the base's tests on the work (${purpose})${bullets([...restored.map((file) => `put back: ${file}`), ...leftOut.map((file) => `left out: ${file}`)])}`,
				},
	"claims-compared": ({ honest, discrepancies, in_a_row: row }) =>
		discrepancies.length === 0
			? { long: "claims: the diff and Sparring's own runs bear them out" }
			: {
					short: `the player's report is not borne out${joined(discrepancies)}`,
					long: `claims: ${Math.round(honest * 100)} % borne out by the diff and Sparring's own runs${row > 1 ? `, ${row} false reports in a row` : ""}${bullets(discrepancies)}`,
					tone: "attention",
				},
} satisfies EventTable<EventText>;

export const JUDGEMENT = {
	"turn-judged": (judged) => {
		const { raw, effective, reasons, rationale, attempts = [], criteria = [] } = judged;
		const untried = renderUntried(raw, judged.attempts);
		const said = raw === effective ? untried : ` (the coach said ${raw ?? "nothing"}${untried})`;
		const tried = renderAttempts(attempts, LIMIT).map((attempt) => `\n  tried ${attempt}`);
		return {
			short: verdictText(judged),
			long: `verdict: ${effective ?? "none"}${said}${bullets(reasons)}${below("rationale: ", rationale)}${statementLines(criteria)}${tried.join("")}`,
			tone: effective === "approve" ? "good" : "attention",
		};
	},
	"confidence-scored": (scored) => {
		const { warnings, criteria = [] } = scored;
		return {
			short: `${scoreText(scored)}${warnings.length === 0 ? "" : `; warning${joined(warnings)}`}`,
			long: `${scoreText(scored)}${bullets(scoreParts(scored))}${statementLines(criteria)}`,
			tone: warnings.length === 0 ? undefined : "attention",
		};
	},
	"gate-evaluated": ({ verdict, rule, risk_tier: tier }) => ({
		...atLength((limit) => `gate ${tier} ${verdict}: ${oneLine(rule, limit)}`),
		tone: toneOf(verdict),
	}),
	"turn-routed": ({ route, ...why }) => ({
		// At a limit, and before a person is asked, the next line says why.
		short:
			route === "approve" || route === "feedback"
				? `next: ${ROUTE_WORDS[route]}${shortBecause(why)}`
				: undefined,
		long: `route: ${ROUTE_WORDS[route]}${longBecause(why)}`,
	}),
	"subtask-completed": ({ subtask }) => ({
		short: `subtask ${subtask} is done`,
		tone: "good",
	}),
	"seats-switched": ({ player, coach, after }) => ({
		short: `seats change after ${typeof after === "number" ? `turn ${after}` : `subtask ${after}`}: player ${player}, coach ${coach}`,
	}),
	"review-decided": ({ decision, rationale }) => ({
		short: `review: ${decision}${because(rationale)}`,
		long: `review: ${decision}${below("rationale: ", rationale)}`,
		tone: toneOf(decision),
	}),
	"finding-changed": (change) => ({
		short: findingChange(change),
		long: `finding ${change.finding} ${change.state} (${change.severity}${change.blocking ? ", blocking" : ""})${because(change.issue, LIMIT)}${argumentLines(change.argument)}`,
		tone: toneOf(change.state),
	}),
	"finding-ignored": ({ finding, reason }) => ({
		...atLength(
			(limit) => `${oneLine(finding)} is raised again and stays closed${because(reason, limit)}`,
		),
		tone: "attention",
	}),
	"dispute-ignored": ({ finding, reason }) => ({
		...atLength(
			(limit) => `the dispute of ${oneLine(finding)} has no effect${because(reason, limit)}`,
		),
		tone: "attention",
	}),
	"conflict-detected": ({ conflict, finding, attempt, upheld_by: upholder = "coach" }) => ({
		short: `conflict over ${oneLine(finding)}: the player disputes it, the ${upholder} upholds it (attempt ${attempt})`,
		long: `conflict ${conflict} over ${oneLine(finding)}, attempt ${attempt}`,
		tone: "attention",
	}),
	"conflict-resolved": (settled) => ({
		...atLength((limit) => settlementText(settled, limit)),
		tone: settled.resolution === "ESCALATE" ? "attention" : undefined,
	}),
} satisfies EventTable<EventText>;
