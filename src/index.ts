export type {
	Agent,
	AgentAnswer,
	AgentBreakdown,
	AgentCall,
	AgentOutcome,
	AgentValues,
	Usage,
} from "./agents/agent.ts";
export { answer } from "./agents/answer.ts";
export type { AnswerProof, AnswerRequest } from "./app/answer-item.ts";
export { type BuiltGraph, buildGraph } from "./app/library/build-graph.ts";
export {
	type ConflictEngineOptions,
	type OpenConflictEngine,
	openConflictEngine,
} from "./app/library/open-conflict-engine.ts";
export { openSparring } from "./app/library/open-sparring.ts";
export {
	allSameIssues,
	computeConfidence,
	computeRaw,
	type FeedbackState,
	type RoutedFeedback,
	type RoutingState,
	routeCoachDecision,
	type ScoredMetric,
	shouldEscalate,
} from "./app/library/routing.ts";
export type { LoadedWorkflow, ReadWorkflow, WorkflowSource } from "./app/load-source.ts";
export type { LoadedState } from "./app/load-state.ts";
export type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
	TaskApproval,
} from "./app/planning-reports.ts";
export type { PreflightProblem, SeatProblem } from "./app/preflight-problem.ts";
export type { PruneReport } from "./app/prune-report.ts";
export type { RunResult } from "./app/report/run-result.ts";
export type { LandReport } from "./app/run/land-run.ts";
export type { ProposeReport } from "./app/run/propose-run.ts";
export type { ResumeOptions, RunOptions, RunPlan, Supervision } from "./app/run/run-options.ts";
export type {
	LibraryOptions,
	OpenOptions,
	ResumeTaskOptions,
	RunStream,
	RunTaskOptions,
	RunTasksOptions,
	SparringLibrary as Sparring,
} from "./app/sparring.ts";
export type { LastSaid, LogSource, TaskLog } from "./app/task-logs.ts";
export type { TaskResult } from "./app/task-result.ts";
export type { TraceFile } from "./app/trace-file.ts";
export type { EvalMetric } from "./confidence/metric.ts";
export type {
	ConflictDetection,
	ConflictEvent,
	ConflictRecord,
	ConflictRequest,
	ConflictResolution,
} from "./conflict/conflict.ts";
export {
	ConflictResolutionEngine,
	type ConflictResolutionOptions,
} from "./conflict/conflict-resolution-engine.ts";
export type { TieBreak, TieBreaker } from "./conflict/tie-breaker.ts";
export type { GateReport } from "./gate/gate-report.ts";
export type { HumanItem } from "./human/human-item.ts";
export { Fault, type FaultCode } from "./kernel/fault.ts";
export type { Route } from "./loop/edges.ts";
export type { GroundProblem } from "./loop/ground-problems.ts";
export type { Masker } from "./masking/masking.ts";
export type { FindingReport } from "./review/finding-report.ts";
export type { RunReport, RunSummary, TaskReport } from "./story/report.ts";
export type { EventListener, StoredEvent, TraceEvent } from "./trace/event.ts";
export type { WorkflowValue } from "./workflow/schema.ts";
export type { Workflow } from "./workflow/workflow.ts";
