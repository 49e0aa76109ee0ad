export {
	type Agent,
	type AgentAnswer,
	type AgentBreakdown,
	type AgentCall,
	type AgentOutcome,
	type AgentValues,
	answer,
	type Usage,
} from "./agents/agent.ts";
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
export type { GateProblem, PreflightProblem, SeatProblem } from "./drive/preflight-problem.ts";
export type { ResumeOptions, RunOptions, RunPlan, Supervision } from "./drive/run-options.ts";
export type { TraceFile } from "./drive/trace-file.ts";
export type { GateReport } from "./gate/gate-report.ts";
export type { HumanItem } from "./human/human-item.ts";
export type { BlockedPlace } from "./judge/blocked-places.ts";
export type { GroundProblem } from "./judge/ground-problems.ts";
export { Fault, type FaultCode } from "./kernel/fault.ts";
export type { PruneReport } from "./landing/archive-work.ts";
export type { LandReport } from "./landing/land-run.ts";
export type { ProposeReport } from "./landing/propose-run.ts";
export type { AnswerProof, AnswerRequest } from "./library/answer-item.ts";
export { type BuiltGraph, buildGraph } from "./library/build-graph.ts";
export type { LoadedState } from "./library/load-state.ts";
export {
	type ConflictEngineOptions,
	type OpenConflictEngine,
	openConflictEngine,
} from "./library/open-conflict-engine.ts";
export { openSparring } from "./library/open-sparring.ts";
export type { LibraryOptions } from "./library/opened.ts";
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
} from "./library/routing.ts";
export type {
	ResumeTaskOptions,
	RunStream,
	RunTaskOptions,
	RunTasksOptions,
	Sparring,
} from "./library/sparring.ts";
export type { LastSaid, LogSource, TaskLog } from "./library/task-logs.ts";
export type { TaskResult } from "./library/task-result.ts";
export type { Route } from "./loop/edges.ts";
export type { Masker } from "./masking/masking.ts";
export type { LoadedWorkflow, ReadWorkflow, WorkflowSource } from "./places/load-source.ts";
export type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
	TaskApproval,
} from "./planning/planning-reports.ts";
export type { FindingReport } from "./review/finding-report.ts";
export type {
	Execute,
	JobRequest,
	Jobs,
	QueueName,
	TakenJob,
	TaskQueue,
} from "./schedule/jobs.ts";
export type { EventListener, StoredEvent, TraceEvent } from "./trace/event.ts";
export type { CheckAllowance } from "./verdict/check-allowance.ts";
export type { CheckOptions } from "./verdict/check-bench.ts";
export type {
	CheckReport,
	CheckResult,
	CheckVerdict,
	OpenSuspicion,
} from "./verdict/check-report.ts";
export type { RunReport, RunSummary, TaskReport } from "./view/report.ts";
export type { RunView } from "./view/run-view.ts";
export type { WorkflowValue } from "./workflow/schema.ts";
export type { Workflow } from "./workflow/workflow.ts";
