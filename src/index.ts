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
export type { AnswerProof, AnswerRequest } from "./app/answer-request.ts";
export { type BuiltGraph, buildGraph } from "./app/build-graph.ts";
export type {
	LibraryOptions,
	ResumeTaskOptions,
	RunTaskOptions,
	RunTasksOptions,
	SparringLibrary as Sparring,
} from "./app/library.ts";
export type { LoadedState } from "./app/load-state.ts";
export {
	type ConflictEngineOptions,
	type OpenConflictEngine,
	openConflictEngine,
} from "./app/open-conflict-engine.ts";
export { openSparring } from "./app/open-sparring.ts";
export type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
	TaskApproval,
} from "./app/planning/planning.ts";
export type { ProposeReport } from "./app/propose-report.ts";
export type { PruneReport } from "./app/prune-report.ts";
export type { RunResult } from "./app/report/run-result.ts";
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
} from "./app/routing.ts";
export type { PreflightProblem, SeatProblem } from "./app/run/preflight-problem.ts";
export type { RunPlan } from "./app/run-plan.ts";
export type { RunStream } from "./app/run-stream.ts";
export type {
	LandReport,
	LoadedWorkflow,
	OpenOptions,
	ReadWorkflow,
	ResumeOptions,
	RunOptions,
	RunReport,
	RunSummary,
	Supervision,
	TaskReport,
	TraceFile,
	WorkflowSource,
} from "./app/sparring.ts";
export type { LastSaid, LogSource, TaskLog } from "./app/task-logs.ts";
export type { TaskResult } from "./app/task-result.ts";
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
export type { Masker } from "./kernel/masking.ts";
export type { Route } from "./loop/edges.ts";
export type { GroundProblem } from "./loop/ground-problems.ts";
export type { FindingReport } from "./review/finding-report.ts";
export type { EventListener, StoredEvent, TraceEvent } from "./trace/event.ts";
export type { WorkflowValue } from "./workflow/schema.ts";
export type { Workflow } from "./workflow/workflow.ts";
