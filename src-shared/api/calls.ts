import type { z } from 'zod';
import type { AgentInput, AgentView, ChangeAgentInput } from './agent.ts';
import type { BoardView } from './board.ts';
import type { Done } from './common.ts';
import type { DoctorView } from './doctor.ts';
import type { HubSummaryView } from './hub-summary.ts';
import type { InboxContextInput, InboxContextView } from './inbox-context.ts';
import type {
  BackupView,
  ChangesInput,
  ChangeView,
  HubStatusView,
  KillInput,
  KillReceiptView,
  PauseInput,
  ReleaseInput,
} from './hub.ts';
import type {
  AllowInput,
  AnswerInput,
  ApproveInput,
  DenyInput,
  ItemInput,
  ItemView,
  ListItemsInput,
  RejectInput,
  ResolveInput,
  SendBackInput,
} from './item.ts';
import type {
  ChainView,
  ExportPageView,
  LedgerEntryView,
  LedgerExportInput,
  LedgerFollowInput,
  LedgerInput,
  LedgerPageInput,
  LedgerVerifyInput,
} from './ledger.ts';
import type { FoldersInput, FoldersView, InspectProjectInput, InspectProjectView } from './machine.ts';
import type {
  AddProjectInput,
  ChangeProjectInput,
  ProjectInput,
  ProjectView,
  RemovedProjectView,
  RemoveProjectInput,
  SetSlotsInput,
} from './project.ts';
import type {
  NotifyReportInput,
  NotifyRequestsInput,
  NotifyRequestView,
  NotifySelfTestInput,
  NotifySelfTestView,
  NotifyTestView,
} from './notify.ts';
import type { RelayReportInput, RelayReportView } from './report.ts';
import type { ChangeSettingsInput, PolicyView, SettingsView } from './settings.ts';
import type { SpikeStatusView, SpikeView, StartSpikeInput } from './spike.ts';
import type {
  AddTaskInput,
  DiffView,
  KeptView,
  ListTasksInput,
  MoveTaskInput,
  RestoredView,
  RetryTaskInput,
  TaskInput,
  TaskView,
  TranscriptEntryView,
  TranscriptInput,
} from './task.ts';
import type {
  TaskEventInput,
  TaskEventsInput,
  TaskEventsView,
  TaskFollowInput,
  TaskHarnessView,
  TaskTestRunView,
  TestOutputInput,
  TestOutputView,
  TurnEventView,
  WholeTurnEventView,
} from './timeline.ts';
import type { LedgerTotalsInput, LedgerTotalsView } from './totals.ts';

/** `void` as input: the call takes none. */
interface Call<Kind extends 'query' | 'mutation' | 'subscription', Input, Output> {
  readonly kind: Kind;
  readonly input: Input;
  readonly output: Output;
}
type In<Schema extends z.ZodType> = z.input<Schema>;
type Query<Input, Output> = Call<'query', Input, Output>;
type Mutation<Input, Output> = Call<'mutation', Input, Output>;
/** `Output` is what arrives with each event. */
type Subscription<Input, Output> = Call<'subscription', Input, Output>;

/**
 * Every call of the API by name, as types alone, so that a client which may not see the router (the window, its
 * preload) is checked against the same shapes. A type test holds it equal to the router of `src-main/api`.
 */
export interface Calls {
  'agent.change': Mutation<In<typeof ChangeAgentInput>, AgentView>;
  'agent.list': Query<void, AgentView[]>;
  'agent.show': Query<In<typeof AgentInput>, AgentView>;
  'board.show': Query<void, BoardView>;
  'files.folders': Query<In<typeof FoldersInput>, FoldersView>;
  'hub.backup': Mutation<void, BackupView>;
  'hub.changes': Subscription<In<typeof ChangesInput>, ChangeView>;
  'hub.doctor': Query<void, DoctorView>;
  'hub.kill': Mutation<In<typeof KillInput>, KillReceiptView>;
  'hub.pause': Mutation<In<typeof PauseInput>, HubStatusView>;
  'hub.ping': Query<void, { pid: number | null; version: string }>;
  'hub.release': Mutation<In<typeof ReleaseInput>, HubStatusView>;
  'hub.status': Query<void, HubStatusView>;
  'hub.stop': Mutation<void, z.infer<typeof Done>>;
  'hub.summary': Query<void, HubSummaryView>;
  'hub.unpause': Mutation<In<typeof PauseInput>, HubStatusView>;
  'inbox.allow': Mutation<In<typeof AllowInput>, ItemView>;
  'inbox.answer': Mutation<In<typeof AnswerInput>, ItemView>;
  'inbox.approve': Mutation<In<typeof ApproveInput>, ItemView>;
  'inbox.context': Query<In<typeof InboxContextInput>, InboxContextView>;
  'inbox.deny': Mutation<In<typeof DenyInput>, ItemView>;
  'inbox.list': Query<In<typeof ListItemsInput>, ItemView[]>;
  'inbox.reject': Mutation<In<typeof RejectInput>, ItemView>;
  'inbox.resolve': Mutation<In<typeof ResolveInput>, ItemView>;
  'inbox.sendBack': Mutation<In<typeof SendBackInput>, ItemView>;
  'inbox.show': Query<In<typeof ItemInput>, ItemView>;
  'inbox.undo': Mutation<In<typeof ItemInput>, ItemView>;
  'ledger.export': Query<In<typeof LedgerExportInput>, z.infer<typeof ExportPageView>>;
  'ledger.follow': Subscription<In<typeof LedgerFollowInput>, LedgerEntryView>;
  'ledger.list': Query<In<typeof LedgerInput>, LedgerEntryView[]>;
  'ledger.page': Query<In<typeof LedgerPageInput>, LedgerEntryView[]>;
  'ledger.totals': Query<In<typeof LedgerTotalsInput>, LedgerTotalsView>;
  'ledger.verify': Query<In<typeof LedgerVerifyInput>, ChainView>;
  'notify.report': Mutation<In<typeof NotifyReportInput>, z.infer<typeof Done>>;
  'notify.requests': Subscription<In<typeof NotifyRequestsInput>, NotifyRequestView>;
  'notify.selfTest': Mutation<In<typeof NotifySelfTestInput>, NotifySelfTestView>;
  'notify.test': Mutation<void, NotifyTestView>;
  'project.add': Mutation<AddProjectInput, ProjectView>;
  'project.change': Mutation<ChangeProjectInput, ProjectView>;
  'project.disable': Mutation<In<typeof ProjectInput>, ProjectView>;
  'project.enable': Mutation<In<typeof ProjectInput>, ProjectView>;
  'project.inspect': Query<In<typeof InspectProjectInput>, InspectProjectView>;
  'project.list': Query<void, ProjectView[]>;
  'project.remove': Mutation<In<typeof RemoveProjectInput>, RemovedProjectView>;
  'project.show': Query<In<typeof ProjectInput>, ProjectView>;
  'project.slots': Mutation<In<typeof SetSlotsInput>, ProjectView>;
  'report.relay': Query<In<typeof RelayReportInput>, RelayReportView>;
  'settings.change': Mutation<In<typeof ChangeSettingsInput>, SettingsView>;
  'settings.policy': Query<void, PolicyView>;
  'settings.show': Query<void, SettingsView>;
  'spike.start': Mutation<In<typeof StartSpikeInput>, SpikeView>;
  'spike.status': Query<void, SpikeStatusView>;
  'spike.stop': Mutation<void, SpikeView>;
  'task.add': Mutation<In<typeof AddTaskInput>, TaskView>;
  'task.cancel': Mutation<In<typeof TaskInput>, TaskView>;
  'task.diff': Query<In<typeof TaskInput>, DiffView>;
  'task.event': Query<In<typeof TaskEventInput>, WholeTurnEventView>;
  'task.events': Query<In<typeof TaskEventsInput>, TaskEventsView>;
  'task.follow': Subscription<In<typeof TaskFollowInput>, TurnEventView>;
  'task.harness': Query<In<typeof TaskInput>, TaskHarnessView>;
  'task.interrupt': Mutation<In<typeof TaskInput>, TaskView>;
  'task.kept': Query<void, KeptView[]>;
  'task.list': Query<In<typeof ListTasksInput>, TaskView[]>;
  'task.move': Mutation<In<typeof MoveTaskInput>, TaskView>;
  'task.restore': Mutation<In<typeof TaskInput>, RestoredView>;
  'task.retry': Mutation<In<typeof RetryTaskInput>, TaskView>;
  'task.show': Query<In<typeof TaskInput>, TaskView>;
  'task.submit': Mutation<In<typeof TaskInput>, TaskView>;
  'task.testOutput': Query<In<typeof TestOutputInput>, TestOutputView>;
  'task.tests': Query<In<typeof TaskInput>, TaskTestRunView[]>;
  'task.transcript': Query<In<typeof TranscriptInput>, TranscriptEntryView[]>;
}

type NamesOf<Kind> = { [Name in keyof Calls]: Calls[Name]['kind'] extends Kind ? Name : never }[keyof Calls];
export type QueryName = NamesOf<'query'>;
export type MutationName = NamesOf<'mutation'>;
export type SubscriptionName = NamesOf<'subscription'>;
export type CallInput<Name extends keyof Calls> = Calls[Name]['input'];
export type CallOutput<Name extends keyof Calls> = Calls[Name]['output'];
