import { expect, test } from "vitest";
import { factsOfReport, type RunFacts, runWords, taskWords } from "./status-words.ts";

const paused: RunFacts = {
	status: "paused_for_user_escalation",
	holder: null,
	waiting: 2,
	answered: 2,
};

test.each<[string, RunFacts]>([
	["answered (spar resume goes on)", paused],
	["answered (a worker goes on)", { ...paused, shared: true }],
	["waiting for you", { ...paused, answered: 1 }],
	["waiting for you", { ...paused, waiting: 0, answered: 0 }],
	["waiting for you", { ...paused, holder: "here:1" }],
	["running", { ...paused, status: "running", holder: "here:1" }],
	["running (no process works on it)", { ...paused, status: "running" }],
	["running (waits for a worker)", { ...paused, status: "running", isUnclaimed: true }],
	["running (stopped: spar resume goes on)", { ...paused, status: "running", isStopped: true }],
	["completed", { ...paused, status: "completed", waiting: 0, answered: 0 }],
])("a run is %s by what is known of it", (words, facts) => {
	expect(runWords(facts)).toBe(words);
});

test("of the tasks of a report those that wait and those that are answered are counted", () => {
	const task = { status: "paused_for_human", human_item_answered: false } as const;
	const answered = { ...task, human_item_answered: true };
	const done = { status: "completed", human_item_answered: false } as const;
	const tasks = { a: task, b: answered, c: done };
	const { status, holder } = paused;
	expect(factsOfReport({ status, holder, tasks })).toEqual({
		...paused,
		isUnclaimed: false,
		isStopped: false,
		shared: false,
		answered: 1,
	});
	const unclaimed = [{ task: "a" }];
	expect(factsOfReport({ status, holder, unclaimed, tasks }).isUnclaimed).toBe(true);
	expect(factsOfReport({ status, holder, stopped: unclaimed, tasks }).isStopped).toBe(true);
	expect(factsOfReport({ status, holder, shared: true, tasks }).shared).toBe(true);
	expect([task, answered, done].map(taskWords)).toEqual([
		"waiting for you",
		"answered",
		"completed",
	]);
});
