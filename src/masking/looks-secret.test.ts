import fc from "fast-check";
import { expect, test } from "vitest";
import { entropyOf, looksRandom, looksSecret } from "./looks-secret.ts";

test.each([
	["hunter2hunter2", "quoted"],
	["Passw0rd!Passw0rd", "quoted"],
	["9f8a7b6c5d4e3f2a1b0c", "bare"],
	["kJhGfDsAqWeRtYuIoP", "quoted"],
	["8Q~aBcD1eFgH2iJkL", "quoted"],
	["dGhpcyBpcyBhIHRlc3Q=", "bare"],
	["Yb{NaH3e}lh[he]iy1V1", "quoted"],
	["k(J8h[Gf2)sA;q]", "quoted"],
	["YbNaHelhheiy1V1WRDTaewG7", "bare"],
] as const)("%s, %s, is one", (value, standing) => {
	expect(looksSecret(value, standing)).toBe(true);
});

test.each([
	"",
	"short1!",
	"changeme",
	"accessToken",
	"my-app-secret-2",
	"JSONValueOfToken3",
	"config.auth2.token",
	"process.env.API_KEY",
	"a1b2c3@example.com",
	"https://x.y/a1b2c3d4",
	"550e8400-e29b-41d4-a716-446655440000",
	"sha256-9f86d081884c7d659a2feaa0",
	"2024-01-01T10:00:00",
	"12345678",
	"./keys/k1e2y3.pem",
	"/run/secrets/a1b2c3",
	"$DB_PASS_2",
	"{{ vault.p4ss }}",
	"%DB_PASS1%",
	"<your-key-1234>",
	"xxxxxxxxxxx1",
	"aaaaaaaaaaa1",
	"[a-z0-9]{8,12}",
	"two words 1a2b",
	"get(t0ken)",
	"fds_to_keep",
	"gbuffer_2x_msaa",
	"k8s-aws-v1.internal",
	"k8s.io/api/v1beta1",
	"#ansigreen",
	"arn:aws:iam::1234:x1y2",
	"0xdAC17F958D2ee523a2206206994597C13D831ec7",
	"~/.ssh/id_ed25519",
	"key1.pem",
	"%(s3cret)s_1",
	"1.2345678901e5",
	",1.5e10,true,[2.5e3]",
	"$request.x1y2z3",
	"HttpChatTransportInitOptions",
	"utf8Decoder1",
])("%j is none", (value) => {
	expect(looksSecret(value, "quoted")).toBe(false);
	expect(looksSecret(value, "bare")).toBe(false);
});

test("an unquoted value that is code is not a secret", () => {
	expect(looksSecret("ed25519.constants.k1", "bare")).toBe(false);
	expect(looksSecret("this.#touch9x", "bare")).toBe(false);
});

test("a value of any kind is judged without error", () => {
	fc.assert(
		fc.property(fc.string(), (value) => {
			expect(typeof looksSecret(value, "bare")).toBe("boolean");
		}),
	);
});

test("entropy is 0 for one letter and the logarithm of the number of different ones", () => {
	expect(entropyOf("aaaa")).toBe(0);
	expect(entropyOf("aabb")).toBe(1);
	expect(entropyOf("abcd")).toBe(2);
	expect(entropyOf("")).toBe(0);
});

test("what looks random beyond doubt has few words in it", () => {
	expect(looksRandom("Zx9cv8Kq7mQ4")).toBe(true);
	expect(looksRandom("xchacha20poly_init")).toBe(false);
	expect(looksRandom("check_0d=True")).toBe(false);
});
