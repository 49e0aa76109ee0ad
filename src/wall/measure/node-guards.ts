/** Keeps what repetitions do to the process from the runner. It is put on one line, as `node-probe.ts`. */
export const NODE_GUARDS = `
const HELD = /^(?:Timeout|TCPSERVERWRAP|TCPWRAP|PIPESERVERWRAP|PIPEWRAP|PROCESSWRAP|FSEVENTWRAP|STATWATCHER|MESSAGEPORT|WORKER)$/;
const held = new Set();
const isRepeated = () => (current.getStore()?.run?.kind ?? "main") !== "main";
const holding = createHook({
	init: (id, type, trigger, resource) => {
		if (HELD.test(type) && isRepeated()) held.add(resource);
	},
});
const released = () => {
	for (const each of held) {
		try {
			if (each.constructor?.name === "Timeout") clearTimeout(each);
			else {
				each.kill?.(9);
				each.unref?.();
			}
		} catch {}
	}
	held.clear();
};
/* Trials end no process but those that they start. */
const guarded = (from) => {
	for (const name of ["kill", "exit", "abort", "reallyExit"]) {
		const own = from[name];
		from[name] = function (...args) {
			const isOwn = name === "kill" && [...held].some(({ pid }) => pid === args[0]);
			if (isRepeated() && !isOwn) throw new Error("a trial calls process." + name);
			return Reflect.apply(own, this, args);
		};
	}
};
const quiet = async (go) => {
	const { exitCode } = process;
	const emit = process.emit;
	holding.enable();
	process.emit = function (event, ...rest) {
		return /^(?:unhandledRejection|uncaughtException|rejectionHandled)/.test(event) ? true : Reflect.apply(emit, this, [event, ...rest]);
	};
	try {
		await go();
	} finally {
		await new Promise((resolve) => setImmediate(resolve));
		process.emit = emit;
		process.exitCode = exitCode;
		holding.disable();
		released();
	}
};
`;
