import { Fault } from "../../src/kernel/fault.ts";
import type {
	AnswerBody,
	EventsPage,
	Inbox,
	ItemDetail,
	Plan,
	RunRow,
	StoredEvent,
} from "../../src/web/protocol.ts";
import type { Feed, Screens } from "../../src/web/screens.ts";
import {
	anInboxItem,
	aQuestion,
	aRun,
	aRunDetail,
	aTaskDetail,
	at,
	type RunPart,
	type TaskPart,
} from "./story.ts";

/** What a fake shows; everything else is the story. */
export interface Shown {
	readonly items?: readonly ItemDetail[];
	readonly runs?: readonly RunRow[];
	readonly run?: RunPart;
	readonly task?: TaskPart;
	readonly diff?: string;
	readonly log?: string;
	readonly plan?: Plan;
}

/** The port behind the page, in memory. */
export interface FakeScreens extends Screens {
	/** What was answered, in order. */
	readonly answered: readonly (readonly [id: string, body: AnswerBody])[];
	/** Actions that were started, as `action run`. */
	readonly acted: readonly string[];
	/** Makes events happen. */
	happen(...events: readonly StoredEvent[]): void;
	/** The question changes behind the page's back. */
	change(item: ItemDetail): void;
	/** The workflow file changes behind the page's back. */
	editFile(plan: Plan): void;
	/** The task or its diff has changed. */
	show(part: Pick<Shown, "task" | "diff">): void;
	/** What is printed grows. */
	grow(text: string): void;
}

const DIFF = [
	"diff --git a/src/limiter.js b/src/limiter.js",
	"index 1111111..2222222 100644",
	"--- a/src/limiter.js",
	"+++ b/src/limiter.js",
	"@@ -1,5 +1,7 @@ export class Limiter {",
	" export class Limiter {",
	"-\tconstructor(rate) {",
	"+\tconstructor({ rate, burst, now = Date.now }) {",
	" \t\tthis.rate = rate;",
	"+\t\tthis.burst = burst;",
	"+\t\tthis.now = now;",
	" \t}",
	" }",
	"diff --git a/test/limiter.test.js b/test/limiter.test.js",
	"index 3333333..4444444 100644",
	"--- a/test/limiter.test.js",
	"+++ b/test/limiter.test.js",
	"@@ -10,3 +10,2 @@",
	" test('refuses the sixth call', () => {",
	"-\tassert.ok(true);",
	" });",
	"",
].join("\n");

/** The same in the file and at the lines that the question's first finding names. */
const HEADERS_DIFF = DIFF.replaceAll("limiter.", "headers.").replace("-1,5 +1,7", "-10,5 +10,7");

const aPlan = (part: Partial<Plan> = {}): Plan => ({
	file: "sparring.yaml",
	digest: "d1",
	checks: ["tests", "lint"],
	tasks: [
		{
			id: "limiter",
			depends_on: [],
			player: "dev",
			coach: "reviewer",
			bound: 5,
			title: "Token bucket with burst and refill.",
			requires_verification: "auto",
			effective: true,
			by: "heuristic",
			reason: "names src/api/limits.js, an API handler",
			verifier: "reviewer",
			formal_review: false,
			allow: [],
		},
		{
			id: "docs",
			depends_on: ["limiter"],
			player: "dev",
			coach: null,
			bound: 5,
			title: "A page that explains the limits.",
			requires_verification: false,
			effective: false,
			by: "person",
			reason: null,
			verifier: null,
			formal_review: false,
			allow: [{ path: "test/old.test.js", change: "delete", reason: "the feature goes" }],
		},
		{
			id: "review",
			depends_on: ["limiter", "docs"],
			player: "dev",
			coach: null,
			bound: 5,
			title: "A later review of all of it.",
			requires_verification: "auto",
			effective: false,
			by: "file",
			reason: null,
			verifier: null,
			formal_review: true,
			allow: [],
		},
	],
	warnings: ["review: challenger and formal reviewer are the same agent"],
	...part,
});

const bucket = (from: number, to: number, count: number, good: number) => ({
	from,
	to,
	count,
	good,
	mean: count === 0 ? null : (from + to) / 2,
	share: count === 0 ? null : good / count,
	interval:
		count === 0
			? null
			: { low: Math.max(0, good / count - 0.2), high: Math.min(1, good / count + 0.2) },
	verdict: count < 5 ? ("too few" as const) : ("fits" as const),
});

/** Events of the story, so that a timeline has something to tell. */
export function someEvents(count: number, first = 1): StoredEvent[] {
	return Array.from({ length: count }, (_, index) => {
		const id = first + index;
		const place = {
			id,
			run: aRun().run_id,
			task: "limiter",
			turn: 1 + (Math.floor(index / 10) % 2),
			timestamp: at(index / 60),
		};
		// Each is of the form of its type.
		const kinds = [
			{ type: "node-entered", node: "player_turn", data: { phase: "player_implementing" } },
			{
				type: "agent-called",
				node: "player_turn",
				data: { role: "player", agent: "dev", call: 1 },
			},
			{
				type: "agent-failed",
				node: "player_turn",
				data: {
					role: "player",
					agent: "dev",
					call: 1,
					failure: "rate_limit",
					message: "429: slow down",
					ms: 900,
					output_length: 0,
					usage: null,
				},
			},
			{
				type: "agent-called",
				node: "player_turn",
				data: { role: "player", agent: "dev", call: 2 },
			},
			{
				type: "agent-answered",
				node: "player_turn",
				data: {
					role: "player",
					agent: "dev",
					call: 2,
					ms: 84_000,
					output_length: 900,
					transcript: null,
					usage: null,
				},
			},
			{
				type: "snapshot-taken",
				node: "player_turn",
				data: { commit: "a1b2c3d4", tree: "9f1c", changed: 2, empty: false },
			},
			{ type: "node-left", node: "player_turn", data: { ms: 84_300, passed_through: null } },
			{
				type: "check-ran",
				node: "validate_structure",
				data: {
					check: "tests",
					kind: "acceptance",
					purpose: "turn",
					status: "pass",
					reason: null,
					tree: "9f1c",
					ms: 2_140,
					counts: null,
				},
			},
			{
				type: "node-left",
				node: "verify",
				data: { ms: 0, passed_through: "independent verification is not required" },
			},
			{
				type: "gate-evaluated",
				node: "policy_gate",
				data: { verdict: "FAIL", rule: "verification is required, and it failed", risk_tier: "T1" },
			},
		];
		return { ...place, ...kinds[index % kinds.length] } as StoredEvent;
	});
}

const outdated = (what: string): Fault =>
	new Fault(`${what} changed since it was shown`, { code: "outdated", hint: "Look at it again." });

/** In-memory screens: what is given, and the story for the rest. */
function choiceIn({
	take,
	directive,
}: AnswerBody): NonNullable<ItemDetail["resolution"]>["choice"] {
	if (take !== undefined) return take === "reviewer" ? "take_reviewer" : "continue";
	return directive === undefined ? "reject" : "directive";
}

export function fakeScreens(shown: Shown = {}): FakeScreens {
	const items = new Map((shown.items ?? [aQuestion()]).map((item) => [item.id, item]));
	const events: StoredEvent[] = [];
	const answered: [string, AnswerBody][] = [];
	const acted: string[] = [];
	let plan = shown.plan ?? aPlan();
	let pulse = 0;
	let work: Pick<Shown, "task" | "diff"> = shown;
	let log = shown.log ?? "> npm test\n\u001b[32mPASS\u001b[0m 12 tests\n";
	const newest = (): number => events.at(-1)?.id ?? 0;
	const itemOf = (id: string): ItemDetail => {
		const item = items.get(id);
		if (item !== undefined) return item;
		throw new Fault(`there is no item ${id}`, {
			code: "item-not-found",
			hint: "See spar questions.",
		});
	};
	const page = (
		after: number,
		run: string | null,
		task: string | null,
		limit: number,
	): StoredEvent[] =>
		events
			.filter((event) => event.id > after)
			.filter((event) => run === null || event.run === run)
			.filter((event) => task === null || event.task === task)
			.slice(0, limit);
	const feed: Feed = {
		newest: () => Promise.resolve(newest()),
		eventsAfter: (after, { run, task }, limit) => {
			const found = page(after, run, task, limit);
			return Promise.resolve({ events: found, cursor: found.at(-1)?.id ?? newest() });
		},
		pulse: () => Promise.resolve(String(pulse)),
		standings: () => Promise.resolve(new Map()),
		logBytes: () => Promise.resolve(Buffer.byteLength(log)),
		onActionEnded: () => () => undefined,
	};
	const inbox = (): Inbox => ({
		cursor: newest(),
		items: [...items.values()]
			.filter(({ resolution }) => resolution === null)
			.map((item) => anInboxItem(item)),
	});
	return {
		feed,
		answered,
		acted,
		happen: (...more) => {
			events.push(...more);
			pulse += 1;
		},
		change: (item) => {
			items.set(item.id, item);
			pulse += 1;
		},
		editFile: (now) => {
			plan = now;
		},
		show: (part) => {
			work = { ...work, ...part };
		},
		grow: (text) => {
			log += text;
			pulse += 1;
		},
		session: () => ({ repository: "limiter", root: "/home/ada/limiter", version: "0.1.0" }),
		inbox: () => Promise.resolve(inbox()),
		item: async (id) => itemOf(id),
		answer: async (id, body) => {
			const item = itemOf(id);
			if (body.version !== item.version) throw outdated(`item ${id}`);
			answered.push([id, body]);
			const now: ItemDetail = {
				...item,
				status: "RESOLVED",
				run: { ...item.run, can_resume: true },
				offers: [],
				resolution: {
					choice: choiceIn(body),
					directive: body.directive ?? null,
					notes: body.notes ?? null,
					reason: body.reject === true ? (body.notes ?? null) : (body.reject ?? null),
					add_usd: null,
					add_wall_ms: null,
					answered_at: at(10),
				},
			};
			items.set(id, now);
			return { item: now, can_resume: true };
		},
		runs: ({ limit }) => {
			const rows = shown.runs ?? [
				aRun(),
				aRun({
					run_id: "20261121-1730-a8c1",
					status: "failed",
					holder: null,
					ended_at: at(-700),
					created_at: at(-900),
					tasks: {
						total: 3,
						completed: 1,
						failed: 1,
						blocked: 1,
						cancelled: 0,
						waiting: 0,
						answered: 0,
					},
					cost_usd: null,
					unknown_cost_calls: 4,
				}),
			];
			return Promise.resolve({ cursor: newest(), runs: rows.slice(0, limit), next: null });
		},
		run: async (run) =>
			aRunDetail({
				cursor: newest(),
				...shown.run,
				run: { run_id: run, ...shown.run?.run },
			}),
		task: async ({ run, task }) =>
			aTaskDetail({
				id: task,
				cursor: newest(),
				...work.task,
				run: { run_id: run, ...work.task?.run },
			}),
		diff: async ({ task }) => work.diff ?? (task === "headers" ? HEADERS_DIFF : DIFF),
		cases: async () => ({
			cases: [
				{ id: "limiter > refuses the sixth call", status: "passed", message: null },
				{
					id: "limiter > refills at half a call a second",
					status: "failed",
					message: "expected 1 to equal 2",
				},
			],
		}),
		logs: async () => ({
			logs: [
				{
					path: "logs/turn-2-player.log",
					turn: 2,
					source: "player",
					name: "1",
					changed_at: at(3),
					bytes: 900,
				},
				{
					path: "logs/turn-2-tests.log",
					turn: 2,
					source: "check",
					name: "tests",
					changed_at: at(4),
					bytes: 48,
				},
			],
		}),
		log: async (_place, _path, from) => {
			const bytes = Buffer.from(log);
			return {
				from,
				next: bytes.length,
				bytes: bytes.length,
				text: bytes.subarray(from).toString(),
			};
		},
		events: async (run, { after, limit, task }): Promise<EventsPage> => {
			const found = page(after, run, task, limit);
			return { events: found, next: found.length === limit ? (found.at(-1)?.id ?? null) : null };
		},
		actions: async (run) => ({
			cursor: newest(),
			last_action: null,
			actions: (["cancel", "resume", "land", "prune"] as const).map((action) => ({
				action,
				refused: action === "land" ? "Nothing has merged yet." : null,
				effects: [`It would ${action} run ${run}.`, "Nothing that was done is lost."],
				command: `spar ${action} ${run}`,
			})),
		}),
		act: async (run, action) => {
			acted.push(`${action} ${run}`);
			return {
				started: {
					run_id: run,
					action,
					started_at: at(10),
					ended_at: null,
					exit_code: null,
					said: [],
				},
			};
		},
		plan: async () => plan,
		editPlan: async ({ digest, all, tasks = {} }) => {
			if (digest !== plan.digest) throw outdated(plan.file);
			plan = {
				...plan,
				digest: `${plan.digest}+`,
				tasks: plan.tasks.map((task) => {
					const flag = tasks[task.id] ?? all;
					return flag === undefined || task.formal_review
						? task
						: { ...task, requires_verification: flag, effective: flag === true, by: "person" };
				}),
			};
			return plan;
		},
		verb: async () => ({
			told: [
				{
					agent: "arbiter",
					metric: "llm_judge",
					count: 34,
					waiting: 2,
					unscored: 1,
					buckets: [
						bucket(0, 0.5, 0, 0),
						bucket(0.5, 0.7, 4, 1),
						bucket(0.7, 0.8, 9, 6),
						bucket(0.8, 0.9, 12, 10),
						bucket(0.9, 1, 9, 9),
					],
				},
			],
		}),
	};
}
