import { z } from 'zod';
import type { ProjectId } from '../ids.ts';
import type { EpochMs } from '../time.ts';

/** Argument vector of a program: never a shell string unless the project's `shell` says so. */
export const CommandLine = z.array(z.string().min(1)).min(1);
export type CommandLine = z.infer<typeof CommandLine>;

export const DataClass = z.enum(['synthetic', 'real']);
export type DataClass = z.infer<typeof DataClass>;

export const MergeMode = z.enum(['merge', 'ff', 'none']);
export type MergeMode = z.infer<typeof MergeMode>;

const usd = z.number().min(0).max(1_000_000);
const wholeSeconds = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 3600);
const relativePath = z.string().min(1);

/**
 * Everything about a project that a person can set, as stored. A cap that is absent falls back to the agent's,
 * then to the default (10-relay, Caps).
 */
export const ProjectSettings = z.object({
  testCommand: CommandLine.optional(),
  setupCommand: CommandLine.optional(),
  /** Runs test and set-up commands through `sh -c`; the command is then one string. */
  shell: z.boolean().default(false),
  share: z.array(relativePath).default([]),
  setupInputs: z.array(relativePath).optional(),
  allowNetwork: z.boolean().default(false),
  testTimeoutS: wholeSeconds.default(600),
  setupTimeoutS: wholeSeconds.default(600),
  runTestsAs: z.string().min(1).optional(),
  /** Recorded consent to run tests without a sandbox where the system offers none. */
  allowUnconfinedTests: z.boolean().default(false),
  sandboxRead: z.array(z.string().min(1)).default([]),
  env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
  dataClass: DataClass.default('synthetic'),
  denyNames: z.array(z.string().min(1)).default([]),
  /** Extra patterns for the scanner, such as policy and folio numbers: rule name → regular expression. */
  dataPatterns: z.record(z.string(), z.string()).default({}),
  forbiddenPaths: z.array(relativePath).default([]),
  maxChangedFiles: z.number().int().min(1).default(2000),
  maxFileBytes: z
    .number()
    .int()
    .min(1)
    .default(10 * 1024 * 1024),
  agent: z.string().min(1).default('claude'),
  model: z.string().min(1).optional(),
  merge: MergeMode.default('merge'),
  retest: z.enum(['moved', 'never']).default('moved'),
  allowLfs: z.boolean().default(false),
  budgetUsd: usd.optional(),
  budgetPeriod: z.enum(['month', 'total']).default('month'),
  perCallUsd: usd.optional(),
  callsPerDay: z.number().int().min(0).optional(),
  maxQuestions: z.number().int().min(0).max(100).optional(),
  maxAttempts: z.number().int().min(1).max(100).optional(),
  callTimeoutS: wholeSeconds.optional(),
  stallMinutes: z.number().int().min(1).default(5),
  relayOutput: z.enum(['stream-json', 'json']).default('stream-json'),
  mode: z.enum(['relay', 'live']).default('relay'),
  approvals: z.enum(['inbox', 'deny', 'allow-listed']).default('inbox'),
  tools: z.array(z.string().min(1)).default([]),
  posture: z.enum(['strict', 'user-compatible']).default('strict'),
  keepTurnEventsDays: z.number().int().min(1).nullable().default(90),
  keepTranscriptsDays: z.number().int().min(1).nullable().default(365),
  keepTestOutputDays: z.number().int().min(1).nullable().default(30),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;
export type ProjectSettingsInput = z.input<typeof ProjectSettings>;

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** A Python environment of the checkout whose interpreter lies in a home. */
export interface FarInterpreter {
  /** Its folder, relative to the root. */
  readonly environment: string;
  /** Absolute folder that test runs have to read for it. */
  readonly needs: string;
  /** The same as a person writes it in `sandboxRead`. */
  readonly asRead: string;
}

/** What `project add` read from the repository's own configuration and passes to git by `-c` from then on. */
export interface RepositoryFacts {
  /** Absolute path of the main checkout. */
  readonly root: string;
  /** Absolute path of the common git directory. */
  readonly gitDir: string;
  readonly author: Identity | null;
  readonly autocrlf: string | null;
  readonly eol: string | null;
  readonly excludesFile: string | null;
  /** Sentences for the person: filters, hooks, signing, submodules, and what that means here. */
  readonly notices: readonly string[];
  /** Absent when there are none, and for a project that was added before they were looked for. */
  readonly interpreters?: readonly FarInterpreter[];
}

export interface Project {
  readonly id: ProjectId;
  readonly name: string;
  readonly path: string;
  readonly baseBranch: string;
  readonly slots: number;
  readonly isEnabled: boolean;
  /** Why dispatch was switched off by Signalbox itself, e.g. after a safety stop; null when a person did it. */
  readonly disabledReason: string | null;
  readonly isPaused: boolean;
  readonly settings: ProjectSettings;
  readonly facts: RepositoryFacts;
  readonly createdAt: EpochMs;
  readonly removedAt: EpochMs | null;
}
