import { expect, test } from "vitest";
import { splitTitle, taskSubject } from "./task-subject.ts";

const task = { id: "limiter", description: "\n## Add a limiter \nSlowly.", featureId: "F-1" };

test("placeholders stand for the first line, the id and the label", () => {
	expect(taskSubject("{title}", task)).toBe("Add a limiter");
	expect(taskSubject("feat({task}): {title} [{feature_id}]", task)).toBe(
		"feat(limiter): Add a limiter [F-1]",
	);
	expect(taskSubject("{title}", task, (title) => title.slice(0, 3))).toBe("Add");
	expect(taskSubject("x {toString}", task)).toBe("x");
});

test("what a placeholder stands for is not read as a template", () => {
	expect(taskSubject("{title}", { id: "a", description: "{task} {title}" })).toBe("{task} {title}");
});

test("a description without words leaves the id as the title", () => {
	expect(taskSubject("{title}", { id: "a", description: "##\n \u0001" })).toBe("a");
	expect(taskSubject("{title}", { id: "a", description: "##\rReal" })).toBe("Real");
});

test("a rule, which ends a message for git, is no title and begins none", () => {
	expect(taskSubject("{title}", { id: "a", description: "---\n\nAdd it" })).toBe("Add it");
	expect(taskSubject("{title}", { id: "a", description: "--- Add it" })).toBe("Add it");
	expect(taskSubject("{title}", { id: "a", description: "--check is ignored" })).toBe(
		"--check is ignored",
	);
});

test("what follows the title is the rest, whatever stands before it", () => {
	const description = "#\n---\r\n## Add it\r\n\nSlowly.\nAdd it";
	expect(splitTitle({ id: "a", description })).toEqual({
		title: "Add it",
		rest: "\nSlowly.\nAdd it",
	});
	expect(splitTitle({ id: "a", description: " \n" })).toEqual({ title: "a", rest: "" });
});

test("without a label its placeholder is empty", () => {
	expect(taskSubject("{feature_id}", { id: "a", description: "x" })).toBe("");
});
