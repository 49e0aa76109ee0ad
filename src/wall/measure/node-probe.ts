import { NODE_GUARDS } from "./node-guards.ts";
import { NODE_VALUES } from "./node-values.ts";
import { NODE_WRAPPING } from "./node-wrapping.ts";

/** Runs of a case, the calls in them, and the notices. */
const RUNS = String.raw`
const process = node("process");
const MAX = { trials: 60, all: 50000, milliseconds: 2500, patience: 1500, whole: Number(process.env.SPAR_MEASURE_UNTIL ?? Infinity) * 1000 - Date.now(), calls: 1000 };
const FIXED = "it cannot be repeated";
const LEFT = "not measured to its end";
const LATE = "there was no time";
const current = new AsyncLocalStorage();
const OUTSIDE = { inside: true };
/* Of the whole process, in which a runner may give each file its own global names. */
const spent = (AsyncLocalStorage[TOKEN] ??= { trials: 0, milliseconds: 0 });
/* What is looked at may throw when it is; that concerns no case. */
const safely = (look, otherwise) => {
	try {
		return look();
	} catch {
		return otherwise;
	}
};
const call = (name, args, go, self, isField = false) => {
	const frame = current.getStore();
	if (frame?.inside) return go(args ?? []);
	const values = (args ?? []).map(raw);
	const given = [raw(self), ...values];
	const run = frame?.run;
	const text = args === null ? name : name + "(" + values.map(print).join(", ") + ")";
	safely(() => strange(values));
	if (run === undefined) {
		const value = current.run(OUTSIDE, go, values);
		return safely(() => seen(value, text), value);
	}
	if (run.isOver && run.kind === "trial") throw new Error("the trial is over");
	if (!isField) run.count += 1;
	if (run.count > run.limit) {
		run.isCut = true;
		throw new Error("the trial makes too many calls");
	}
	let value;
	try {
		value = run.isLater ? bounded(run, () => current.run(run.within, go, values)) : current.run(run.within, go, values);
	} catch (error) {
		return settled(answer(run, text, { error }, given));
	}
	if (!types.isPromise(value)) return settled(answer(run, text, { value }, given, isField));
	if (run.target?.text !== text) {
		run.late.push(value.then((late) => void answer(run, text, { value: late }, given), (error) => void answer(run, text, { error }, given)));
		return value;
	}
	const altered = value.then((late) => settled(answer(run, text, { value: late }, given)), (error) => settled(answer(run, text, { error }, given)));
	altered.catch(() => {});
	return altered;
};
const settled = (result) => {
	if ("error" in result) throw result.error;
	return result.value;
};
const listOf = (result, given) => {
	if ("error" in result) return throws(result.error);
	const value = raw(result.value);
	const same = isObject(value) && given.find((each) => isObject(each) && each !== value && tag(each) === tag(value));
	return [...alterations(value), ...(same ? [{ words: "gives what it was given", make: () => same }] : [])];
};
const answer = (run, text, result, given, isField) => {
	if (run.isOver) return result;
	const key = text + " => " + ("error" in result ? "throws " + print(result.error) : print(result.value));
	if (!isField) run.calls.set(key, (run.calls.get(key) ?? 0) + 1);
	if (result.value !== undefined && given[0] === result.value) return result;
	if (run.kind === "control" && !run.lists.has(key)) run.lists.set(key, { text, words: safely(() => listOf(result, given).map(({ words }) => words), []) });
	if (run.target?.key !== key) return "error" in result ? result : { value: safely(() => seen(result.value, text), result.value) };
	const change = listOf(result, given)[run.target.at];
	if (change === undefined) return result;
	run.isHit = true;
	const to = change.make("error" in result ? result.error : raw(result.value));
	const altered = "error" in result ? to : { value: to };
	return "error" in altered ? altered : { value: safely(() => seen(altered.value, text), altered.value) };
};
const newRun = (kind, place, limit = Infinity, target = null) => {
	const run = { kind, limit, target, place, count: 0, calls: new Map(), lists: new Map(), late: [], thrown: null, until: Infinity, isLater: false, isOver: false, isCut: false, isHit: false };
	run.within = { run, inside: true };
	return run;
};
const isThenable = (value) => isObject(value) && typeof value.then === "function";
const write = (line) => {
	try {
		appendFileSync(file, line + "\n");
	} catch {}
};
const told = (place, name, end = "") => place + " > " + name.replace(/[#\\\r\n]/g, " ") + end;
const places = [];
const scopes = new Map();
let scope = null;
const scopeOf = (path) => {
	if (scope !== null) return scope;
	if (!scopes.has(path)) scopes.set(path, { above: null, hooks: [] });
	return scopes.get(path);
};
const hooksIn = (at, kind) => at.hooks.filter((each) => each.kind === kind);
const hooksOf = (at, kind) => (at === null ? [] : [...hooksOf(at.above, kind), ...hooksIn(at, kind)]);
const within = (promise, milliseconds) => {
	let timer;
	const late = new Promise((resolve) => {
		timer = setTimeout(resolve, milliseconds, { isLate: true });
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
const vm = node("vm");
const box = vm.createContext({});
const running = new vm.Script("go()");
/* Ends also a loop that never ends. */
const bounded = (run, go) => {
	const [store, outer] = [current.getStore(), box.go];
	box.go = go;
	try {
		return running.runInContext(box, { timeout: Math.max(1, Math.ceil(run.until - now())) });
	} catch (error) {
		if (error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") run.isCut = true;
		throw error;
	} finally {
		box.go = outer;
		current.enterWith(store);
	}
};
const surrounded = async (body, kind) => {
	const hooks = hooksOf(body.scope, kind);
	for (const each of kind === "beforeEach" ? hooks : hooks.reverse()) await Reflect.apply(each.fn, body.self, body.args);
};
const once = async (body, kind, options) => {
	const run = newRun(kind, body.place, options.limit, options.target);
	const before = process.cpuUsage();
	/* A runner asks its processes for a sign of life. */
	await new Promise((resolve) => setImmediate(resolve));
	const go = async () => {
		await surrounded(body, "beforeEach");
		try {
			run.until = now() + options.milliseconds;
			const value = bounded(run, () => current.run({ run }, () => Reflect.apply(body.fn, body.self, body.args)));
			run.isLater = true;
			await value;
		} finally {
			await surrounded(body, "afterEach");
		}
	};
	const outcome = await within(go().then(() => null, (error) => ({ error })), options.milliseconds);
	if (kind === "control") await within(Promise.allSettled(run.late), 100);
	run.isOver = true;
	const { user, system } = process.cpuUsage(before);
	return { run, outcome, isStarved: (run.isCut || outcome?.isLate === true) && user + system < options.milliseconds * 500 };
};
/* Whoever was late without a processor's time for half of it may have waited for others on a busy machine. */
const fairly = async (body, kind, options) => {
	const first = await once(body, kind, options);
	return first.isStarved ? once(body, kind, options) : first;
};
const sameCalls = (one, other) => one.size === other.size && [...one].every(([key, times]) => other.get(key) === times);
const answerIn = (key, text) => short(key.slice(text.length + 4).replace(/^throws /, ""));
const listed = (lists) => {
	const found = [];
	for (let at = 0, left = [...lists]; left.length > 0; at += 1) {
		left = left.filter(([, { words }]) => words.length > at);
		/* Objects with the same method may answer otherwise, so the answer belongs to the name. */
		for (const [key, { text, words }] of left) found.push({ key, text, at, name: short(text) + " " + words[at] + " instead of " + answerIn(key, text) });
	}
	return found;
};
const repeat = async ({ body, main, took }) => {
	await within(Promise.allSettled(main.late), 100);
	main.isOver = true;
	if (main.calls.size === 0) return "measured";
	const until = now() + Math.min(MAX.milliseconds, MAX.whole - spent.milliseconds);
	if (now() + took * 2 > until) return LATE;
	const patient = 100 + Math.min(took * 10, MAX.patience);
	const again = () => fairly(body, "control", { milliseconds: patient });
	let control = await again();
	let isSame = sameCalls(main.calls, control.run.calls);
	if (control.outcome === null && !isSame) {
		const { calls } = control.run;
		control = await again();
		isSame = sameCalls(calls, control.run.calls);
		/* Such as those with the time of day among their arguments. */
		for (const [key, times] of control.run.calls) if (calls.get(key) !== times) control.run.lists.delete(key);
	}
	if (control.outcome !== null || (control.run.lists.size === 0 && !isSame)) return FIXED;
	const all = listed(control.run.lists);
	const limit = main.count * 10 + MAX.calls;
	const most = Math.max(MAX.trials, control.run.lists.size);
	for (const target of all.slice(0, most)) {
		spent.trials += 1;
		if (spent.trials > MAX.all || now() > until) return LATE;
		const { run, outcome } = await fairly(body, "trial", { milliseconds: patient, limit, target });
		if (run.isCut || !run.isHit || outcome?.isLate) continue;
		const { path, line } = run.thrown !== null && outcome !== null && run.thrown.error === outcome.error ? run.thrown : run.place;
		const name = (control.run.calls.get(target.key) ?? 1) + " times " + target.name;
		write(outcome === null ? "ok - " + told(body.path, name) : "not ok - " + told(path + ":" + line, name));
	}
	return all.length > most || !isSame ? LEFT : "measured";
};
const isDone = (value) => typeof value === "function" && !("task" in value);
const ended = ({ path, line, title }, end) => {
	const place = "ok - " + path + ":" + line;
	write(end === "measured" ? told(place, end) : told(place, end === LATE ? "measured" : title, " # SKIP " + end));
};
const groupsOf = (at) => (at === null || at.above === null ? [] : [...groupsOf(at.above), at]);
/* Goes from the groups of one case to those of another: their own hooks run again. */
const moved = async (from, to, body) => {
	const [left, entered] = [groupsOf(from), groupsOf(to)];
	const hooks = [...left.filter((at) => !entered.includes(at)).reverse().flatMap((at) => hooksIn(at, "afterAll")), ...entered.filter((at) => !left.includes(at)).flatMap((at) => hooksIn(at, "beforeAll"))];
	for (const { fn } of hooks) await within(new Promise((resolve) => resolve(Reflect.apply(fn, body.self, body.args))).catch(() => {}), 5000);
};
const waiting = [];
let isEnding = false;
let isGuarded = false;
let isRepeating = false;
const drained = async () => {
	if (waiting.length === 0) return;
	if (!isGuarded) for (const from of new Set([process, globalThis.process])) guarded(from);
	isGuarded = true;
	isRepeating = true;
	await quiet(async () => {
		let last = null;
		for (let next; (next = waiting.shift()) !== undefined; ) {
			const { body, meta } = next;
			const started = now();
			await moved(last?.scope ?? null, body.scope, last ?? body);
			last = body;
			ended(meta, await repeat(next).catch(() => FIXED));
			spent.milliseconds += now() - started;
		}
		await moved(last.scope, null, last);
	});
	isRepeating = false;
};
`;

const FACE = `
return {
	of: (value, local) => (file === null ? value : given(value, owned.get(value) ?? (typeof value === "function" ? value.name || local || "default" : ""))),
	own: (value, name) => {
		if (file !== null && (isObject(value) || typeof value === "function") && !owned.has(value) && !originals.has(value)) owned.set(value, name);
	},
	use: (value) => (file !== null && owned.has(value) ? given(value, owned.get(value)) : value),
	at: (line, path) => {
		const run = current.getStore()?.run;
		if (run === undefined) return;
		run.place = { path, line };
		if (now() < run.until) return;
		run.isCut = true;
		throw new Error("the trial takes too long");
	},
	place: () => current.getStore()?.run?.place,
	leave: (place) => {
		const run = current.getStore()?.run;
		if (run !== undefined && place !== undefined) run.place = place;
	},
	threw: (error) => {
		const run = current.getStore()?.run;
		if (run !== undefined && (run.thrown === null || run.thrown.error !== error)) run.thrown = { ...run.place, error };
	},
	hook: (kind, path, fn) => {
		if (typeof fn === "function") scopeOf(path).hooks.push({ kind, fn });
		return fn;
	},
	/* Stands at both ends of a file: runners differ in which one of its hooks comes first. */
	end: (library) => {
		if (file === null || current.getStore()?.run !== undefined) return;
		const holders = [library, library?.default, globalThis].filter((from) => from !== undefined);
		const after = holders.map((from) => from.afterAll ?? from.after ?? from.suiteTeardown).find((from) => typeof from === "function");
		if (after === undefined) return;
		isEnding = true;
		after(function () {
			if (typeof this?.timeout === "function") this.timeout(0);
			return current.exit(drained);
		}, 2147483647);
	},
	group: (path, fn) => {
		const above = scopeOf(path);
		return new Proxy(fn, {
			apply: (to, self, args) => {
				const before = scope;
				scope = { above, hooks: [] };
				const back = () => {
					scope = before;
				};
				try {
					const value = Reflect.apply(to, self, args);
					if (!isThenable(value)) return value;
					const late = value;
					return Promise.resolve(late).finally(back);
				} finally {
					back();
				}
			},
		});
	},
	test: (meta, fn) => {
		const own = scopeOf(meta.path);
		return new Proxy(fn, {
			get: (to, key) => (key === "toString" ? source.bind(to) : Reflect.get(to, key)),
			apply: (to, self, args) => {
				if (file === null || current.getStore()?.run !== undefined) return Reflect.apply(to, self, args);
				const hooks = [...hooksOf(own, "beforeEach"), ...hooksOf(own, "afterEach")];
				if (!isEnding || meta.skip || (args.some(isDone) && !meta.isEach) || hooks.some(({ fn }) => fn.length > args.length)) {
					ended(meta, FIXED);
					return current.exit(() => Reflect.apply(to, self, args));
				}
				const body = { fn: to, self, args, scope: own, path: meta.path, place: { path: meta.path, line: meta.body } };
				const main = newRun("main", body.place);
				const started = now();
				const value = current.run({ run: main }, () => Reflect.apply(to, self, args));
				const over = () => void waiting.push({ body, main, meta, took: now() - started });
				if (isThenable(value)) Promise.resolve(value).then(over, () => {});
				else over();
				return value;
			},
		});
	},
};
`;

const START = `
const { AsyncLocalStorage, createHook } = node("async_hooks");
const { createHash } = node("crypto");
const { appendFileSync, existsSync, realpathSync } = node("fs");
const { tmpdir } = node("os");
const { dirname, join } = node("path");
const { setTimeout, clearTimeout, setImmediate } = node("timers");
const { types } = node("util");
const { performance } = node("perf_hooks");
const now = performance.now.bind(performance);
const rootOf = (from) => {
	for (let at = from; at !== undefined; at = dirname(at) === at ? undefined : dirname(at)) if (existsSync(join(at, TOKEN))) return at;
};
const root = (folder && rootOf(folder)) ?? rootOf(node("process").cwd());
const file = root === undefined ? null : join(root, TOKEN);
`;

const PLACES = String.raw`
const escaped = (text) => text.replace(/[.*+?^$\x7b}()|[\]\\]/g, "\\$&");
if (root !== undefined) for (const each of new Set([root, realpathSync(root)])) places.push([new RegExp(escaped(each), "g"), "."]);
for (const each of new Set([tmpdir(), realpathSync(tmpdir())])) places.push([new RegExp(escaped(each) + "(?:/[^/\\s\"'\x60]+)?", "g"), "<tmp>"]);
places.push([new RegExp(TOKEN, "g"), ""]);
`;

/** Name of the runtime among the global names of a file of the tests' side. */
export function probeName(token: string): string {
	return `spar_${token}`;
}

/**
 * One line that puts the runtime of the measure among the global names, where it is not there yet. It runs in each file of
 * the tests' side before what is wrapped there is used.
 *
 * @param isModule has static imports; `require` is at hand elsewhere
 */
export function nodeProbe(token: string, isModule: boolean): string {
	const name = probeName(token);
	const loader = isModule
		? `${name}_module.createRequire(globalThis.process.cwd() + "/")`
		: "require";
	const body = [START, NODE_WRAPPING, NODE_VALUES, NODE_GUARDS, RUNS, PLACES, FACE].join("");
	const line = body.replaceAll(/\s*\n\s*/g, " ").replaceAll("TOKEN", JSON.stringify(token));
	// Made of a text, so that names of the file, as an imported `Map`, do not stand for those of the language.
	const made = `globalThis.Function("node", "folder", ${JSON.stringify(line)})`;
	const given = `(name) => globalThis.process.getBuiltinModule?.(name) ?? ${loader}(name), typeof __dirname === "string" ? __dirname : undefined`;
	const imported = isModule ? `import * as ${name}_module from "module";` : "";
	return `${imported}if (!globalThis.${name}) globalThis.Object.defineProperty(globalThis, "${name}", { configurable: true, value: ${made}(${given}) });`;
}
