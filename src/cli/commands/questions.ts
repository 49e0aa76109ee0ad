import { listCommand } from "./hil.ts";

export const command = listCommand([
	"spar questions",
	"spar questions --all",
	"spar questions --json",
]);
