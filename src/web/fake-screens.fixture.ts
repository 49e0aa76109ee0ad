import { Fault } from "../kernel/fault.ts";
import { FakeFeed } from "./fake-feed.fixture.ts";
import type { Screens } from "./screens.ts";

/** Screens of which only the given ones are there; the others say so. */
export function fakeScreens(given: Partial<Screens> = {}): Screens {
	const none = (): never => {
		throw new Fault("there is no item h1", { code: "item-not-found", hint: "See: spar questions" });
	};
	return {
		session: () => ({ repository: "repo", root: "/repo", version: "1.0.0" }),
		inbox: none,
		item: none,
		answer: none,
		runs: none,
		run: none,
		task: none,
		diff: none,
		cases: none,
		logs: none,
		log: none,
		events: none,
		actions: none,
		act: none,
		plan: none,
		editPlan: none,
		verb: none,
		feed: new FakeFeed(),
		...given,
	};
}
