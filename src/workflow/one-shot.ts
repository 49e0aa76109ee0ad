import { type Fields, isFields } from "../kernel/fields.ts";
import { draftOf, tasksOf } from "./draft.ts";
import { type LongForm, longForm, NO_COACH } from "./short-forms.ts";

export const PRESETS = ["quick", "pair", "strict"] as const;

/** Wishes for one task in words, which come before those of the file. */
export interface OneShot {
	readonly player?: string | undefined;
	/** `none`: nobody challenges it. */
	readonly coach?: string | undefined;
	/** Model of the player. */
	readonly model?: string | undefined;
	/** `quick`: no coach, at most 3 turns. `strict`: a verifier, tier T1, mutants. */
	readonly preset?: (typeof PRESETS)[number] | undefined;
	/** Shell command of the only acceptance check. */
	readonly command?: string | undefined;
}

const QUICK_TURNS = 3;

/** Keys of the task; those of the file stand in its `defaults`. */
function keysOf({ player, coach, preset }: OneShot, file: Fields): Fields {
	const { max_turns: turns, overlays } = draftOf(file).defaults ?? {};
	const tier = overlays?.policy_gate?.risk_tier;
	const isQuick = preset === "quick";
	return {
		...(player === undefined ? {} : { player }),
		...(coach === undefined ? {} : { coach }),
		...(isQuick && coach === undefined ? { coach: NO_COACH } : {}),
		...(isQuick
			? { max_turns: typeof turns === "number" ? Math.min(turns, QUICK_TURNS) : QUICK_TURNS }
			: {}),
		...(preset === "strict"
			? {
					requires_verification: true,
					overlays: {
						policy_gate: { enabled: true, risk_tier: tier === "T2" ? tier : "T1" },
					},
				}
			: {}),
	};
}

/** The seats of the file's first task that has a player, for a file that seats no other. */
function seatsIn(file: Fields): Fields {
	const { value } = longForm(file);
	const first = tasksOf(draftOf(value)).find(({ player }) => player !== undefined);
	if (first === undefined) return {};
	return { player: first.player, coach: first.coach ?? NO_COACH };
}

const isSeated = (file: Fields, id: string, task: Fields): boolean => {
	const { value } = longForm({ ...file, tasks: { [id]: task } });
	return tasksOf(draftOf(value)).some(({ player }) => player !== undefined);
};

const isAcceptance = (check: unknown): boolean =>
	typeof check === "string" || (isFields(check) && check["kind"] === "acceptance");

/** Checks that T1 asks for and the file lacks are waived, with the reason. */
function strictKeys(file: Fields): Fields {
	const checks = isFields(file["checks"]) ? Object.values(file["checks"]) : [];
	const kinds = checks.map((check) => (isFields(check) ? check["kind"] : undefined));
	const lacking = ["lint", "security"].filter((kind) => !kinds.includes(kind));
	const reasons = lacking.map((kind) => [kind, `the workflow has no ${kind} check`] as const);
	const waived = isFields(file["waive"]) ? file["waive"] : {};
	const mutation = isFields(file["mutation"]) ? file["mutation"] : {};
	return {
		waive: { ...Object.fromEntries(reasons), ...waived },
		mutation: { ...mutation, when: "always" },
	};
}

/**
 * The long form of a file for one task in words, with the wishes for it. A place of `writtenAt` that no file has is a key
 * of the task, named as the wish.
 */
export function oneShotForm(
	file: Fields,
	{ id, value, shot }: { readonly id: string; readonly value: Fields; readonly shot: OneShot },
): LongForm {
	const plain = { ...value, ...keysOf(shot, file) };
	const task = isSeated(file, id, plain) ? plain : { ...seatsIn(file), ...plain };
	const checks = isFields(file["checks"]) ? file["checks"] : {};
	const others = Object.entries(checks).filter(([, check]) => !isAcceptance(check));
	const { command, model, preset } = shot;
	const long = longForm({
		...file,
		...(preset === "strict" ? strictKeys(file) : {}),
		...(command === undefined ? {} : { checks: { tests: command, ...Object.fromEntries(others) } }),
		tasks: { [id]: task },
	});
	const player = playerIn(long.value);
	const moved = new Map<string, string>([
		...(command === undefined ? [] : [["checks,tests", "command"] as const]),
		...(model === undefined ? [] : [[`agents,${player},model`, "model"] as const]),
	]);
	return {
		value: model === undefined ? long.value : withModel(long.value, player, model),
		writtenAt: (path) => {
			const wish = moved.get(path.slice(0, 3).join()) ?? moved.get(path.slice(0, 2).join());
			return wish === undefined ? long.writtenAt(path) : ["tasks", id, wish];
		},
	};
}

function playerIn(file: Fields): string {
	return tasksOf(draftOf(file))[0]?.player ?? "";
}

function withModel(file: Fields, player: string, model: string): Fields {
	const agents = file["agents"];
	const agent = isFields(agents) ? agents[player] : undefined;
	if (!(isFields(agents) && isFields(agent))) return file;
	return { ...file, agents: { ...agents, [player]: { ...agent, model } } };
}
