export interface StateNode {
	readonly name: string;
	readonly label: string;
	readonly x: number;
	readonly y: number;
}

/** Lines that share a rail: each of `from` leads to each of `to`. `path` is the `d` of an SVG path. */
export interface StateRail {
	readonly kind: "forward" | "feedback" | "halt" | "answer";
	readonly from: readonly string[];
	readonly to: readonly string[];
	readonly path: string;
}

export const NODE_WIDTH = 76;
export const NODE_HEIGHT = 26;
const STEP = 92;
const LEFT = 62;
const SPINE_Y = 54;
const FEEDBACK_Y = 106;
const END_Y = 162;
const ANSWER_Y = 16;
const HALT_Y = 134;

const SPINE = [
	["initialize", "baseline"],
	["player_turn", "player"],
	["validate_structure", "checks"],
	["verify", "verify"],
	["coach_turn", "coach"],
	["resolve_conflict", "conflict"],
	["score_confidence", "score"],
	["policy_gate", "gate"],
	["sign_off", "sign-off"],
	["merge", "merge"],
	["finalize_success", "completed"],
] as const;

const columnX = (column: number): number => LEFT + column * STEP;

const spine: readonly StateNode[] = SPINE.map(([name, label], column) => ({
	name,
	label,
	x: columnX(column),
	y: SPINE_Y,
}));

export const STATE_NODES: readonly StateNode[] = [
	...spine,
	{ name: "process_feedback", label: "feedback", x: columnX(1), y: FEEDBACK_Y },
	{ name: "finalize_escalation", label: "escalate", x: columnX(4), y: END_Y },
	{ name: "await_human", label: "your turn", x: columnX(6), y: END_Y },
	{ name: "finalize_failure", label: "failed", x: columnX(9), y: END_Y },
];

export const STATE_WIDTH = columnX(10) + LEFT;
export const STATE_HEIGHT = END_Y + 28;

export const STATE_POINTS: readonly { readonly x: number; readonly y: number }[] = [
	{ x: 10, y: SPINE_Y },
	{ x: STATE_WIDTH - 10, y: SPINE_Y },
	{ x: STATE_WIDTH - 10, y: END_Y },
];

const HALF = NODE_WIDTH / 2;
const HALF_HEIGHT = NODE_HEIGHT / 2;
/** Lines that leave a node for different rails do so side by side. */
const BESIDE = 14;

const across = (y: number, from: number, to: number): string => `M${from} ${y}H${to}`;
const down = (x: number, from: number, to: number): string => `M${x} ${from}V${to}`;

const xOf = new Map(STATE_NODES.map(({ name, x }) => [name, x]));
const xAt = (name: string): number => xOf.get(name) ?? 0;

const ahead = (from: string, to: string, y: number, start: number, end: number): StateRail => ({
	kind: "forward",
	from: [from],
	to: [to],
	path: across(y, start, end),
});

const spineRails: readonly StateRail[] = [
	ahead("__start__", "initialize", SPINE_Y, 14, columnX(0) - HALF),
	...spine
		.slice(1)
		.map(({ name, x }, index) =>
			ahead(spine[index]?.name ?? "", name, SPINE_Y, x - STEP + HALF, x - HALF),
		),
	ahead("finalize_success", "__end__", SPINE_Y, columnX(10) + HALF, STATE_WIDTH - 14),
	ahead("finalize_failure", "__end__", END_Y, columnX(9) + HALF, STATE_WIDTH - 14),
	ahead("finalize_escalation", "await_human", END_Y, columnX(4) + HALF, columnX(6) - HALF),
];

const FEEDBACK_FROM = ["verify", "policy_gate", "merge"];

const feedbackRails: readonly StateRail[] = [
	{
		kind: "feedback",
		from: FEEDBACK_FROM,
		to: ["process_feedback"],
		path: [
			...FEEDBACK_FROM.map((name) => down(xAt(name) - BESIDE, SPINE_Y + HALF_HEIGHT, FEEDBACK_Y)),
			across(FEEDBACK_Y, xAt("merge") - BESIDE, columnX(1) + HALF),
		].join(""),
	},
	{
		kind: "feedback",
		from: ["process_feedback"],
		to: ["player_turn"],
		path: down(columnX(1), FEEDBACK_Y - HALF_HEIGHT, SPINE_Y + HALF_HEIGHT),
	},
];

/** All of the spine but its end can halt. */
const HALT_FROM = SPINE.slice(0, -1).map(([name]) => name);
const HALT_TO = ["finalize_escalation", "finalize_failure"];

const haltX = (name: string): number => xAt(name) + BESIDE * (name === "player_turn" ? 2 : 1);

const haltRail: StateRail = {
	kind: "halt",
	from: HALT_FROM,
	to: HALT_TO,
	path: [
		...HALT_FROM.map((name) =>
			name === "player_turn"
				? `M${haltX(name)} ${SPINE_Y + HALF_HEIGHT}V${FEEDBACK_Y - HALF_HEIGHT - 6}H${xAt(name) + HALF + 8}V${HALT_Y}`
				: down(haltX(name), SPINE_Y + HALF_HEIGHT, HALT_Y),
		),
		across(HALT_Y, haltX("initialize"), haltX("merge")),
		...HALT_TO.map((name) => down(xAt(name), HALT_Y, END_Y - HALF_HEIGHT)),
	].join(""),
};

const ANSWER_TO = [
	"initialize",
	"player_turn",
	"validate_structure",
	"verify",
	"coach_turn",
	"resolve_conflict",
	"score_confidence",
	"policy_gate",
	"merge",
];

const ANSWER_X = columnX(8) - STEP / 2;

const answerRails: readonly StateRail[] = [
	{
		kind: "answer",
		from: ["await_human"],
		to: ANSWER_TO,
		path: [
			`M${columnX(6) + HALF} ${END_Y - 5}H${ANSWER_X}V${ANSWER_Y}`,
			across(ANSWER_Y, columnX(0), xAt("merge")),
			...ANSWER_TO.map((name) => down(xAt(name), ANSWER_Y, SPINE_Y - HALF_HEIGHT)),
		].join(""),
	},
	{
		kind: "answer",
		from: ["await_human"],
		to: ["finalize_failure"],
		path: across(END_Y + 5, columnX(6) + HALF, columnX(9) - HALF),
	},
];

export const STATE_RAILS: readonly StateRail[] = [
	...spineRails,
	...feedbackRails,
	haltRail,
	...answerRails,
];
