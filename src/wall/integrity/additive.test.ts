import { describe, expect, test } from "vitest";
import { isAdditive } from "./additive.ts";

interface Case {
	readonly path: string;
	readonly base: string;
	/** A further test, which goes before the last `closing` lines. */
	readonly more: string;
	readonly closing?: number;
	/** What acts on other tests. */
	readonly acts: string;
}

const FORMS: Readonly<Record<string, Case>> = {
	Go: {
		path: "fee_test.go",
		base: 'package fee\n\nimport "testing"\n\nfunc TestFee(t *testing.T) {\n\tif Fee(1) != 2 {\n\t\tt.Fatal("x")\n\t}\n}\n',
		more: "\n// Rounds up.\nfunc TestRound(t *testing.T) {\n\tif Fee(3) != 4 {\n\t\tt.Fatal()\n\t}\n}\n",
		acts: "\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n",
	},
	Rust: {
		path: "tests/fee.rs",
		base: "use fee::fee;\n\n#[test]\nfn is_two() {\n    assert_eq!(fee(1), 2);\n}\n",
		more: "\n#[test]\n#[should_panic]\nfn is_four() {\n    assert_eq!(fee(3), 4);\n}\n",
		acts: "\nfn fee(_: i32) -> i32 {\n    2\n}\n",
	},
	"C#": {
		path: "FeeTests.cs",
		base: "using Xunit;\npublic class FeeTests\n{\n    [Fact]\n    public void IsTwo()\n    {\n        Assert.Equal(2, Fee.Of(1));\n    }\n}\n",
		more: "    [Theory]\n    [InlineData(3, 4)]\n    public void Is(int n, int fee)\n    {\n        Assert.Equal(fee, Fee.Of(n));\n    }\n",
		closing: 1,
		acts: "    public FeeTests()\n    {\n        Environment.Exit(0);\n    }\n",
	},
	PHP: {
		path: "tests/FeeTest.php",
		base: "<?php\nclass FeeTest extends TestCase\n{\n    public function testFee()\n    {\n        $this->assertSame(2, fee(1));\n    }\n}\n",
		more: "    public function testRound()\n    {\n        $this->assertSame(4, fee(3));\n    }\n",
		closing: 1,
		acts: "    public function setUp(): void\n    {\n        exit(0);\n    }\n",
	},
	"C++": {
		path: "fee_test.cpp",
		base: "#include <gtest/gtest.h>\nTEST(Fee, Two) {\n  EXPECT_EQ(fee(1), 2);\n}\n",
		more: "TEST(Fee, Four) {\n  EXPECT_EQ(fee(3), 4);\n}\n",
		acts: "int main() {\n  return 0;\n}\n",
	},
	Elixir: {
		path: "test/fee_test.exs",
		base: 'defmodule FeeTest do\n  use ExUnit.Case\n\n  test "two" do\n    assert Fee.of(1) == 2\n  end\nend\n',
		more: '  test "four" do\n    assert Fee.of(3) == 4\n  end\n',
		closing: 1,
		acts: "  setup do\n    System.halt(0)\n  end\n",
	},
	RSpec: {
		path: "spec/fee_spec.rb",
		base: 'require "fee"\nRSpec.describe Fee do\n  it "is two" do\n    expect(fee(1)).to eq(2)\n  end\nend\n',
		more: '  it "is four" do\n    expect(fee(3)).to eq(4)\n  end\n',
		closing: 1,
		acts: "  before do\n    exit!(0)\n  end\n",
	},
	Java: {
		path: "src/test/java/FeeTest.java",
		base: "import org.junit.jupiter.api.Test;\nclass FeeTest {\n    @Test\n    void two() {\n        assertEquals(2, Fee.of(1));\n    }\n}\n",
		more: "    @Test\n    void four() {\n        assertEquals(4, Fee.of(3));\n    }\n",
		closing: 1,
		acts: "    @BeforeAll\n    static void all() {\n        System.exit(0);\n    }\n",
	},
};

function withMore({ base, closing = 0 }: Case, more: string): string {
	const lines = base.trimEnd().split("\n");
	const at = lines.length - closing;
	return [...lines.slice(0, at), more.trimEnd(), ...lines.slice(at), ""].join("\n");
}

describe.each(Object.entries(FORMS))("%s", (_, form) => {
	const { path, base, more, acts } = form;

	test("a further test is an addition, also with what it imports", () => {
		expect(isAdditive(path, base, withMore(form, more))).toBe(true);
		expect(
			isAdditive(path, base, base.replace(/^(?:import|use|using|require).*$/m, "$&\n$&")),
		).toBe(true);
	});

	test("what acts on the others is not, and neither is one of the same name", () => {
		expect(isAdditive(path, base, withMore(form, acts))).toBe(false);
		expect(isAdditive(path, base, withMore(form, more + acts))).toBe(false);
		const twice = withMore(form, more);
		expect(isAdditive(path, twice, withMore({ ...form, base: twice }, more))).toBe(false);
	});

	test("a line in a test is not, nor one that is gone, nor a test that ends another one early", () => {
		const lines = base.split("\n");
		for (const [at, line] of lines.entries()) {
			if (!/ssert|EXPECT|expect|t\.Fatal/.test(line)) continue;
			const early = [...lines.slice(0, at), "return", ...lines.slice(at)].join("\n");
			expect(isAdditive(path, base, early), early).toBe(false);
			const gone = lines.filter((_one, index) => index !== at).join("\n");
			expect(isAdditive(path, base, gone), gone).toBe(false);
		}
		const nested = withMore({ ...form, closing: (form.closing ?? 0) + 1 }, more);
		expect(isAdditive(path, base, nested), nested).toBe(false);
	});
});
