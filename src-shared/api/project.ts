import { z } from 'zod';
import { CommandLine, DataClass, MergeMode, ProjectSettings } from '../model/project.ts';
import type { ProjectSettingsInput } from '../model/project.ts';
import { ProjectRef, Usd } from './common.ts';

export const MOST_SLOTS = 8;
const Slots = z.number().int().min(0).max(MOST_SLOTS, `0 to ${MOST_SLOTS} slots`);
const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !name.startsWith('prj_') && !name.startsWith('-'), 'must not start with prj_ or -');

/**
 * Every setting on its own, without the default that a stored project gets: a change must leave out what it does
 * not change (zod fills defaults in through `partial()`).
 */
const settingShape = Object.fromEntries(
  Object.entries(ProjectSettings.shape).map(([key, schema]) => [
    key,
    (schema instanceof z.ZodDefault ? schema.unwrap() : schema).optional(),
  ]),
);
export const SETTING_NAMES = Object.keys(ProjectSettings.shape) as (keyof ProjectSettings)[];
export const ProjectSettingsChange = z.strictObject(settingShape) as unknown as z.ZodType<
  Partial<ProjectSettingsInput>,
  Partial<ProjectSettingsInput>
>;

export const AddProjectInput = z.object({
  /** Absolute path of the repository or of a folder in it. */
  path: z.string().min(1).max(4096),
  name: Name.optional(),
  base: z.string().min(1).max(250).optional(),
  slots: Slots.optional(),
  settings: ProjectSettingsChange.default({}),
});
export type AddProjectInput = z.input<typeof AddProjectInput>;

export const ChangeProjectInput = z.object({
  project: ProjectRef,
  name: Name.optional(),
  base: z.string().min(1).max(250).optional(),
  slots: Slots.optional(),
  settings: ProjectSettingsChange.optional(),
  /** Settings that go back to their default. */
  clear: z.array(z.enum(SETTING_NAMES as [string, ...string[]])).optional(),
});
export type ChangeProjectInput = z.input<typeof ChangeProjectInput>;

export const ProjectInput = z.object({ project: ProjectRef });
export const SetSlotsInput = z.object({ project: ProjectRef, slots: Slots });
/** `leftIn`: where the files of worktrees are whose repository is gone; empty otherwise, as git keeps what is dirty. */
export const RemovedProjectView = z.object({ ok: z.literal(true), leftIn: z.array(z.string()) });
export type RemovedProjectView = z.infer<typeof RemovedProjectView>;
export const RemoveProjectInput = z.object({ project: ProjectRef, purge: z.boolean().default(false) });

export const CapSource = z.enum(['default', 'agent', 'project', 'spike']);

/** `project show`, and each entry of `project list`. */
export const ProjectView = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  baseBranch: z.string(),
  slots: z.number().int(),
  slotsInUse: z.number().int(),
  enabled: z.boolean(),
  /** Why Signalbox itself switched it off; null when a person did, or it is on. */
  disabledReason: z.string().nullable(),
  paused: z.boolean(),
  /** Why nothing is dispatched now; null when it is. */
  hold: z.string().nullable(),
  testCommand: CommandLine.nullable(),
  dataClass: DataClass,
  model: z.string(),
  agent: z.string(),
  merge: MergeMode,
  caps: z.object({
    budgetUsd: Usd,
    perCallUsd: Usd,
    callsPerDay: z.number().int(),
    maxQuestions: z.number().int(),
    maxAttempts: z.number().int(),
    callTimeoutS: z.number(),
  }),
  /** Where each cap was set. */
  capSources: z.object({
    budgetUsd: CapSource,
    perCallUsd: CapSource,
    callsPerDay: CapSource,
    maxQuestions: CapSource,
    maxAttempts: CapSource,
    callTimeoutS: CapSource,
  }),
  /** Booked in the current budget period, an estimate. */
  spentUsd: Usd,
  /** The part of `spentUsd` that is assumed. */
  assumedUsd: Usd,
  callsToday: z.number().int(),
  /** What the repository has that matters here: filters, hooks, signing, submodules. */
  notices: z.array(z.string()),
  /** Everything that can be set, as stored. */
  settings: z.record(z.string(), z.unknown()),
});
export type ProjectView = z.infer<typeof ProjectView>;
