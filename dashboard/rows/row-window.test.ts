import { expect, test } from "vitest";
import { rowWindow, scrollFor } from "./row-window.ts";

const box = { top: 400, height: 200, rowHeight: 20 };

test("the rows in view and a few on either side are drawn", () => {
	expect(rowWindow(1_000, box, 5)).toEqual({ first: 15, end: 35 });
});

test("at both ends the window stops at the list's own", () => {
	expect(rowWindow(1_000, { ...box, top: 0 }, 5)).toEqual({ first: 0, end: 15 });
	expect(rowWindow(32, box, 5)).toEqual({ first: 15, end: 32 });
	expect(rowWindow(1_000, { ...box, top: -30 }, 0)).toEqual({ first: 0, end: 10 });
});

test("a list that became shorter than it is scrolled draws nothing that is not there", () => {
	expect(rowWindow(3, box, 5)).toEqual({ first: 3, end: 3 });
	expect(rowWindow(0, box, 5)).toEqual({ first: 0, end: 0 });
});

test("a million rows draw as few as a hundred", () => {
	const { first, end } = rowWindow(1_000_000, { ...box, top: 9_000_000 }, 10);
	expect(end - first).toBe(30);
});

test("a row in view is not scrolled to; one above or below is, by as little as is needed", () => {
	expect(scrollFor(25, box)).toBe(400);
	expect(scrollFor(3, box)).toBe(60);
	expect(scrollFor(40, box)).toBe(620);
});

test("with a lead a row that is out of view comes so far below the top, and one in view stays", () => {
	expect(scrollFor(40, box, 4)).toBe(720);
	expect(scrollFor(3, box, 4)).toBe(0);
	expect(scrollFor(25, box, 4)).toBe(400);
});
