/**
 * What hosts can ask of the core, by noun. The router of `src-main/api` is a thin layer of schemas over this;
 * every host (desktop, web, command line, MCP) goes through the router and nothing else.
 */
import type { ItemNumber, ProjectId, TaskId } from '../../src-shared/ids.ts';
import type { Agent } from '../../src-shared/model/agent.ts';
import type { Hold, KillState } from '../../src-shared/model/hold.ts';
import type { Item, Via } from '../../src-shared/model/item.ts';
import type { Project, ProjectSettingsInput } from '../../src-shared/model/project.ts';
import type { Spike } from '../../src-shared/model/spike.ts';
import type { Task } from '../../src-shared/model/task.ts';
import type { MicroUsd } from '../../src-shared/money.ts';
import type { EpochMs } from '../../src-shared/time.ts';
import type { KeptState } from './ports/workspaces.ts';

/** Who acts, and through which surface. */
export interface Actor {
  readonly name: string;
  readonly via: Via;
}

/** A cap with where its value comes from (10-relay, Caps). */
export interface Cap<T> {
  readonly value: T;
  readonly source: 'default' | 'agent' | 'project' | 'spike';
}

export interface ProjectCaps {
  readonly budgetMicroUsd: Cap<MicroUsd>;
  readonly perCallMicroUsd: Cap<MicroUsd>;
  readonly callsPerDay: Cap<number>;
  readonly maxQuestions: Cap<number>;
  readonly maxAttempts: Cap<number>;
  readonly callTimeoutS: Cap<number>;
}

/** Derived figures of a project for its view. */
export interface ProjectFigures {
  readonly caps: ProjectCaps;
  /** Booked in the current budget period, reported and assumed. */
  readonly spentMicroUsd: MicroUsd;
  /** The part of it that is assumed. */
  readonly assumedMicroUsd: MicroUsd;
  readonly callsToday: number;
  readonly slotsInUse: number;
  /** What a person should know about its settings. */
  readonly notices: readonly string[];
  /** Why nothing is dispatched in this project now; null when it is. */
  readonly hold: string | null;
}

export interface AddProject {
  readonly path: string;
  readonly name?: string;
  readonly base?: string;
  readonly slots?: number;
  readonly settings: ProjectSettingsInput;
}

/** A change of a project; fields that are absent stay, `null` in `clear` goes back to the default. */
export interface ChangeProject {
  readonly name?: string;
  readonly base?: string;
  readonly slots?: number;
  readonly settings?: Partial<ProjectSettingsInput>;
  /** Names of settings that go back to their default. */
  readonly clear?: readonly string[];
}

export interface ProjectService {
  add(input: AddProject, actor: Actor): Promise<Project>;
  change(id: ProjectId, change: ChangeProject, actor: Actor): Promise<Project>;
  setEnabled(id: ProjectId, isEnabled: boolean, actor: Actor): Project;
  setSlots(id: ProjectId, slots: number, actor: Actor): Project;
  /** @throws AppError 'project-has-open-tasks' */
  /** @returns where the files of worktrees are whose repository is gone, so that git could not keep them */
  remove(
    id: ProjectId,
    options: { readonly purge: boolean },
    actor: Actor,
  ): Promise<{ readonly leftIn: readonly string[] }>;
  figures(id: ProjectId): ProjectFigures;
}

export interface AgentService {
  list(): readonly Agent[];
  /** @throws AppError 'not-found' */
  get(name: string): Agent;
  /** @param clear fields that go back to their default */
  change(
    name: string,
    change: Partial<Omit<Agent, 'name'>>,
    actor: Actor,
    clear?: readonly (keyof Omit<Agent, 'name'>)[],
  ): Agent;
}

export interface AddTask {
  readonly projectId: ProjectId;
  readonly title: string;
  readonly description: string;
  readonly isDraft: boolean;
}

export interface TaskService {
  /** @throws AppError 'data-class-hit' naming rule and place, never the value */
  add(input: AddTask, actor: Actor): Task;
  submit(id: TaskId, actor: Actor): Task;
  cancel(id: TaskId, actor: Actor): Promise<Task>;
  retry(id: TaskId, options: { readonly fresh: boolean }, actor: Actor): Promise<Task>;
  /** Stops the running turn and parks the task without an item. */
  interrupt(id: TaskId, actor: Actor): Promise<Task>;
  move(id: TaskId, before: TaskId | null, actor: Actor): Task;
  diff(id: TaskId): Promise<string>;
  kept(): Promise<readonly KeptState[]>;
  restore(id: TaskId, actor: Actor): Promise<{ readonly branch: string; readonly commit: string }>;
}

export interface InboxService {
  answer(number: ItemNumber, text: string, actor: Actor): Item;
  /** `k` from 1, or the option's exact label. */
  answerOption(number: ItemNumber, option: string, actor: Actor): Item;
  /** Approves exactly `commit` when it is given. @throws AppError 'item-stale-offer' */
  approve(
    number: ItemNumber,
    options: { readonly note?: string; readonly commit?: string },
    actor: Actor,
  ): Item;
  reject(number: ItemNumber, options: { readonly reason?: string }, actor: Actor): Item;
  sendBack(number: ItemNumber, note: string, actor: Actor): Item;
  /** For review and manual items: one of the item's `actions`. */
  resolve(number: ItemNumber, action: string, value: string | null, actor: Actor): Item;
  /** @throws AppError 'item-undo-too-late' */
  undo(number: ItemNumber, actor: Actor): Item;
}

export interface HubStatus {
  readonly killed: KillState | null;
  readonly isPaused: boolean;
  readonly holds: readonly Hold[];
  readonly processes: number;
}

export interface KillReceipt {
  readonly ended: readonly number[];
  readonly alive: readonly number[];
  /** Estimated cost so far of the turns that were stopped. */
  readonly costMicroUsd: MicroUsd;
  readonly tasks: readonly TaskId[];
}

export interface SwitchService {
  status(): HubStatus;
  kill(reason: string, actor: Actor): Promise<KillReceipt>;
  release(actor: Actor): void;
  /** Processes that the kill switch reported alive and that still are; none while it is not engaged. */
  survivors(): Promise<readonly number[]>;
  /** Lets running turns finish and starts nothing new; for all, or for one project. */
  pause(projectId: ProjectId | null, actor: Actor): void;
  unpause(projectId: ProjectId | null, actor: Actor): void;
}

export interface StartSpike {
  readonly projectIds: readonly ProjectId[];
  readonly budgetMicroUsd: MicroUsd;
  readonly callsPerDay: number;
  readonly days: number;
  readonly keepCap: boolean;
}

export interface SpikeStatus {
  readonly spike: Spike;
  readonly spentMicroUsd: MicroUsd;
  readonly callsToday: number;
  readonly succeeded: boolean;
  /** Its own tasks that its end will cancel. */
  readonly openTasks: readonly Task[];
}

export interface SpikeService {
  start(input: StartSpike, actor: Actor): Spike;
  status(): SpikeStatus | null;
  /** Ends it: cancels its own tasks, cleans their trees, puts the agent's cap back. */
  stop(reason: string, actor: Actor): Promise<Spike>;
  /** Called by the engine after every change: ends the spike at the first stop condition that holds. */
  check(): Promise<void>;
}

export interface RelayReportRow {
  readonly task: Task;
  readonly project: string;
  readonly cycles: number;
  /** Answers and decisions of a person. */
  readonly touches: number;
  readonly waitedS: readonly number[];
  readonly readyToApproveS: number | null;
  /** Booked, reported and assumed. */
  readonly costMicroUsd: MicroUsd;
  /** The part of it that is assumed. */
  readonly assumedMicroUsd: MicroUsd;
  readonly lockWaitS: number;
}

export interface RelayReport {
  readonly tasks: readonly RelayReportRow[];
  /** Time in which agent processes of two or more projects ran. */
  readonly overlap: { readonly projects: readonly string[]; readonly seconds: number };
  readonly since: EpochMs | null;
}

export interface ReportService {
  relay(projectIds: readonly ProjectId[] | null): RelayReport;
}

export interface Core {
  readonly projects: ProjectService;
  readonly agents: AgentService;
  readonly tasks: TaskService;
  readonly inbox: InboxService;
  readonly switches: SwitchService;
  readonly spikes: SpikeService;
  readonly reports: ReportService;
}

/** The running part: only the hub has one. A command without a hub uses `Core` alone. */
export interface Engine {
  /** Recovery first, then dispatch; resolves when recovery is done. */
  start(): Promise<void>;
  /** Something changed: look again soon. */
  wake(): void;
  /** Resolves when nothing is ready, running or testing, or all that is left waits for a hold. */
  idle(): Promise<{ readonly onHold: readonly string[] }>;
  /** Starts nothing more, interrupts turns (sessions stay resumable), waits up to the bound. */
  stop(bound: number): Promise<void>;
}
