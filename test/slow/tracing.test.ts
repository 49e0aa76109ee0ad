import { createServer } from "node:http";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { sparProcess } from "../support/spar.ts";
import { workflow } from "../support/workflow.ts";

test("a run sends nothing to a tracing service that the user switched on for other programs", async () => {
	const requests: string[] = [];
	const service = createServer((request, response) => {
		requests.push(request.url ?? "");
		response.end("{}");
	});
	await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
	const address = service.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const repo = repository({
		files: {
			"sparring.yaml": workflow({
				agents: { dev: { adapter: "command", run: ["sh", "-c", "echo x >> made.txt"] } },
				tasks: { one: { agent: "dev", description: "Make a file." } },
			}),
		},
	});
	try {
		const env = {
			LANGSMITH_TRACING: "true",
			LANGSMITH_ENDPOINT: `http://127.0.0.1:${port}`,
			LANGSMITH_API_KEY: "not-a-real-key",
		};
		expect((await sparProcess(repo, ["run"], { env })).code).toBe(0);
		expect(requests).toEqual([]);
	} finally {
		repo.remove();
		service.close();
	}
});
