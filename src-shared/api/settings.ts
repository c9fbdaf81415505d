import { z } from 'zod';
import { PREFERENCE_NAMES, Preferences } from '../model/preferences.ts';
import { CapSource } from './project.ts';

const shape = Preferences.shape;
const preferenceView = <Value extends z.ZodType>(value: Value) =>
  z.object({ value, default: value, source: z.enum(['default', 'person']) });

/** Every preference with its value, its default and where the value comes from. */
export const PreferencesView = z.object({
  theme: preferenceView(shape.theme.unwrap()),
  language: preferenceView(shape.language.unwrap()),
  letterKeys: preferenceView(shape.letterKeys.unwrap()),
  shortcut: preferenceView(shape.shortcut.unwrap()),
  loginItem: preferenceView(shape.loginItem.unwrap()),
  notifyQuestion: preferenceView(shape.notifyQuestion.unwrap()),
  notifyApproval: preferenceView(shape.notifyApproval.unwrap()),
  notifyPermission: preferenceView(shape.notifyPermission.unwrap()),
  notifyNeedsYou: preferenceView(shape.notifyNeedsYou.unwrap()),
  notifyFinished: preferenceView(shape.notifyFinished.unwrap()),
  notifyLimit: preferenceView(shape.notifyLimit.unwrap()),
  notifyKill: preferenceView(shape.notifyKill.unwrap()),
  quietHours: preferenceView(shape.quietHours.unwrap()),
});
export type PreferencesView = z.infer<typeof PreferencesView>;

/** What the configuration file and the environment say; changed there, and read when the hub starts. */
export const ConfigView = z.object({
  /** Null when there is none. */
  file: z.string().nullable(),
  folder: z.string(),
  values: z.array(
    z.object({
      name: z.enum(['maxProcesses', 'undoSeconds', 'claude']),
      value: z.union([z.string(), z.number(), z.null()]),
      default: z.union([z.string(), z.number(), z.null()]),
      source: z.enum(['default', 'config', 'environment']),
      line: z.number().int().nullable(),
    }),
  ),
  /** Why the file as it is now cannot be read; null when it can. */
  problem: z.string().nullable(),
});

/** `settings.show`, and the answer of `settings.change`. */
export const SettingsView = z.object({ preferences: PreferencesView, config: ConfigView });
export type SettingsView = z.infer<typeof SettingsView>;

export const ChangeSettingsInput = z.object({
  change: z
    .strictObject({
      theme: shape.theme.unwrap().optional(),
      language: shape.language.unwrap().optional(),
      letterKeys: shape.letterKeys.unwrap().optional(),
      shortcut: shape.shortcut.unwrap().optional(),
      loginItem: shape.loginItem.unwrap().optional(),
      notifyQuestion: shape.notifyQuestion.unwrap().optional(),
      notifyApproval: shape.notifyApproval.unwrap().optional(),
      notifyPermission: shape.notifyPermission.unwrap().optional(),
      notifyNeedsYou: shape.notifyNeedsYou.unwrap().optional(),
      notifyFinished: shape.notifyFinished.unwrap().optional(),
      notifyLimit: shape.notifyLimit.unwrap().optional(),
      notifyKill: shape.notifyKill.unwrap().optional(),
      quietHours: shape.quietHours.unwrap().optional(),
    })
    .default({}),
  /** Preferences that go back to their default. */
  clear: z.array(z.enum(PREFERENCE_NAMES as [string, ...string[]])).default([]),
});

const CapView = z.object({
  name: z.enum(['budgetUsd', 'perCallUsd', 'callsPerDay', 'maxQuestions', 'maxAttempts', 'callTimeoutS']),
  value: z.number(),
  source: CapSource,
});

/** `settings.policy`: what holds, and where it was set. */
export const PolicyView = z.object({
  version: z.string(),
  dataFolder: z.string(),
  configFolder: z.string(),
  configFile: z.string().nullable(),
  killFile: z.string(),
  /** What holds where nobody set anything. */
  defaults: z.array(CapView),
  agents: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      callsPerDay: z.number().int(),
      callTimeoutS: z.number().int(),
      testsUnderAccount: z.boolean(),
    }),
  ),
  projects: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      dataClass: z.enum(['synthetic', 'real']),
      allowNetwork: z.boolean(),
      merge: z.enum(['merge', 'ff', 'none']),
      /** Account that tests run as; null for the person's own. */
      testsRunAs: z.string().nullable(),
      caps: z.array(CapView),
      /** Days that texts are kept; null for ever. */
      retention: z.object({
        turnEventsDays: z.number().int().nullable(),
        transcriptsDays: z.number().int().nullable(),
        testOutputDays: z.number().int().nullable(),
      }),
    }),
  ),
});
export type PolicyView = z.infer<typeof PolicyView>;
