import { expect, test } from "vitest";
import type { TaskRefs } from "./context.ts";

/** Refs of a task in a repository that has none of its branches but the integration branch. */
export interface RefsUnderTest {
	readonly refs: TaskRefs;
	/** Writes a commit; moves no ref. */
	readonly commit: (subject: string) => Promise<string>;
	/** Commits of the task's branch and of the private ref of a label; null: there is none. */
	readonly branch: () => Promise<string | null>;
	readonly kept: (label: string) => Promise<string | null>;
	/** Puts the integration branch somewhere, as somebody else would. */
	readonly place: (commit: string) => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Claims about the refs that a task moves. */
export function refsContract(name: string, make: () => Promise<RefsUnderTest>): void {
	const asked = (claim: string, holds: (set: RefsUnderTest) => Promise<void>): void => {
		test(`${claim}, in ${name}`, async () => {
			const set = await make();
			try {
				await holds(set);
			} finally {
				await set.close();
			}
		});
	};

	asked(
		"publishing moves the branch and keeps the commit, and again it is harmless",
		async (set) => {
			const [one, two] = [await set.commit("one"), await set.commit("two")];
			await set.refs.publish("turn-1", one, null);
			await set.refs.publish("turn-2", two, one);
			await set.refs.publish("turn-2", two, one);
			expect(await set.branch()).toBe(two);
			expect([await set.kept("turn-1"), await set.kept("turn-2")]).toEqual([one, two]);
		},
	);

	asked("a branch that somebody else moved is a fault", async (set) => {
		const [one, two, three] = [await set.commit("1"), await set.commit("2"), await set.commit("3")];
		await set.refs.publish("turn-1", one, null);
		await expect(set.refs.publish("turn-2", three, two)).rejects.toThrow(/branch/);
		await expect(set.refs.publish("turn-2", three, null)).rejects.toMatchObject({
			code: "ref-in-the-way",
		});
		expect(await set.branch()).toBe(one);
	});

	asked("a commit is kept under its label without a branch", async (set) => {
		const one = await set.commit("one");
		await set.refs.keep("merge-1", one);
		expect([await set.kept("merge-1"), await set.branch()]).toEqual([one, null]);
		expect(await set.refs.pushed("merge-1")).toBe(null);
	});

	asked("the integration branch moves only from where it is expected", async (set) => {
		const [one, two, three] = [await set.commit("1"), await set.commit("2"), await set.commit("3")];
		await set.place(one);
		expect(await set.refs.moveIntegration(two, three)).toBe(false);
		expect(await set.refs.integrationTip()).toBe(one);
		expect(await set.refs.moveIntegration(one, two)).toBe(true);
		expect(await set.refs.integrationTip()).toBe(two);
	});
}
