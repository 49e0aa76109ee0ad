import { expect, test } from "vitest";
import { hiddenPlaces } from "../../process/sandbox/hidden-places.ts";
import { acpStores } from "./acp-stores.ts";

test("every store that is shown to such agents is one that the sandbox hides from everybody else", () => {
	const hidden = hiddenPlaces("/home/user");
	expect(hidden).toEqual(expect.arrayContaining([...acpStores({ HOME: "/home/user" }).readable]));
});

test("a store that the user moved is passed on and shown", () => {
	expect(acpStores({ CODEX_HOME: "/elsewhere", HOME: undefined })).toEqual({
		store: { CODEX_HOME: "/elsewhere" },
		readable: ["/elsewhere"],
	});
});
