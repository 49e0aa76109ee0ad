import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { CONFLICT_ESCALATION } from "./conflict-resolution-engine.ts";
import { EscalationPause } from "./escalation-pause.ts";

const tell = (bus: EventEmitter, conflictId: string): boolean =>
	bus.emit(CONFLICT_ESCALATION, { conflictId, taskId: "limiter", escalationReason: "why" });

test("each conflict wants one pause, however often and in whatever order it is told", () => {
	const bus = new EventEmitter();
	const pause = new EscalationPause(bus);
	expect(pause.wanted()).toEqual([]);
	for (const id of ["c2", "c1", "c2", "c2", "c1"]) tell(bus, id);
	expect(pause.wanted()).toEqual(["c2", "c1"]);
	expect(pause.wanted()).toEqual(["c2", "c1"]);
});

test("a conflict that paused the task before wants no second pause", () => {
	const bus = new EventEmitter();
	const pause = new EscalationPause(bus, ["c1"]);
	tell(bus, "c1");
	tell(bus, "c2");
	expect(pause.wanted()).toEqual(["c2"]);
});

test("after its end it hears nothing, keeps what it heard, and leaves no listener behind", () => {
	const bus = new EventEmitter();
	const pause = new EscalationPause(bus);
	tell(bus, "c1");
	pause[Symbol.dispose]();
	pause[Symbol.dispose]();
	tell(bus, "c2");
	expect(pause.wanted()).toEqual(["c1"]);
	expect(bus.listenerCount(CONFLICT_ESCALATION)).toBe(0);
});

test("other events of the bus are none of its business", () => {
	const bus = new EventEmitter();
	const pause = new EscalationPause(bus);
	bus.emit("orchestrator:conflict:resolved", { conflictId: "c1" });
	expect(pause.wanted()).toEqual([]);
});
