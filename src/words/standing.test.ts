import { expect, test } from "vitest";
import {
	factsOfReport,
	forReaders,
	type RunFacts,
	runStanding,
	runWords,
	taskStanding,
} from "./standing.ts";

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
	["running (waits for a worker)", { ...paused, status: "running", unclaimed: [1] }],
	["running (stopped: spar resume goes on)", { ...paused, status: "running", stopped: [1] }],
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
		tasks,
		answered: 1,
	});
	expect([task, answered, done].map((facts) => taskStanding(facts).word)).toEqual([
		"waiting for you",
		"answered",
		"completed",
	]);
});

test("an answered task says what takes it on, and its tone is not that of one that waits", () => {
	const task = { status: "paused_for_human", human_item_answered: true } as const;
	expect(taskStanding(task)).toEqual({
		word: "answered",
		remark: "goes on when resumed",
		tone: "live",
	});
	expect(taskStanding({ ...task, human_item_answered: false }).tone).toBe("attention");
});

test("a run that stopped before its first call says so, whatever its status", () => {
	const facts = { ...paused, status: "running", preflight_stopped: {} } as const;
	expect(runStanding(facts)).toMatchObject({ word: "stopped before its first call", remark: null });
});

test("a reader who is not asked is told that a person is", () => {
	expect(["waiting for you", "completed"].map(forReaders)).toEqual([
		"waiting for a person",
		"completed",
	]);
});
