import type { PreferencesView } from '../../src-shared/api/settings.ts';
import { ChangeSettingsInput, PolicyView, SettingsView } from '../../src-shared/api/settings.ts';
import { isAppError } from '../../src-shared/errors.ts';
import { DEFAULT_PREFERENCES, PREFERENCE_NAMES } from '../../src-shared/model/preferences.ts';
import { definedFields } from '../../src-shared/api/common.ts';
import { usdFromMicroUsd } from '../../src-shared/money.ts';
import { DEFAULT_CAPS } from '../core/limits/caps.ts';
import { changePreferences, readPreferences, setByPerson } from '../core/settings/preferences.ts';
import type { Machine } from '../core/ports/machine.ts';
import type { Stores } from '../core/ports/stores.ts';
import type { ProjectCaps } from '../core/services.ts';
import type { ApiServices } from './context.ts';
import { decision, procedure, router } from './trpc.ts';

function preferencesView(stores: Stores): PreferencesView {
  const values = readPreferences(stores);
  const set = setByPerson(stores);
  // One entry for each name; the schema of the output checks that their values are of the right types.
  return Object.fromEntries(
    PREFERENCE_NAMES.map((name) => [
      name,
      {
        value: values[name],
        default: DEFAULT_PREFERENCES[name],
        source: set.has(name) ? 'person' : 'default',
      },
    ]),
  ) as unknown as PreferencesView;
}

/** The screen with which a person mends the file must open while it is broken. */
async function configView(machine: Machine): Promise<SettingsView['config']> {
  const folder = machine.places.configFolder;
  try {
    const { file, values } = await machine.config();
    return { file, folder, values: values.map((value) => ({ ...value })), problem: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { file: null, folder, values: [], problem: error.message };
  }
}

const settingsView = async ({ stores, machine }: ApiServices): Promise<SettingsView> => ({
  preferences: preferencesView(stores),
  config: await configView(machine),
});

type CapViews = PolicyView['defaults'];

const capViews = (caps: ProjectCaps): CapViews => [
  {
    name: 'perCallUsd',
    value: usdFromMicroUsd(caps.perCallMicroUsd.value),
    source: caps.perCallMicroUsd.source,
  },
  {
    name: 'budgetUsd',
    value: usdFromMicroUsd(caps.budgetMicroUsd.value),
    source: caps.budgetMicroUsd.source,
  },
  { name: 'callsPerDay', ...caps.callsPerDay },
  { name: 'callTimeoutS', ...caps.callTimeoutS },
  { name: 'maxQuestions', ...caps.maxQuestions },
  { name: 'maxAttempts', ...caps.maxAttempts },
];

const source = 'default';
const DEFAULTS: CapViews = capViews({
  perCallMicroUsd: { value: DEFAULT_CAPS.perCallMicroUsd, source },
  budgetMicroUsd: { value: DEFAULT_CAPS.budgetMicroUsd, source },
  callsPerDay: { value: DEFAULT_CAPS.callsPerDay, source },
  callTimeoutS: { value: DEFAULT_CAPS.callTimeoutS, source },
  maxQuestions: { value: DEFAULT_CAPS.maxQuestions, source },
  maxAttempts: { value: DEFAULT_CAPS.maxAttempts, source },
});

async function policyView({ stores, core, machine, version }: ApiServices): Promise<PolicyView> {
  const { dataFolder, configFolder, killFile } = machine.places;
  const config = await configView(machine);
  return {
    version,
    dataFolder,
    configFolder,
    configFile: config.file,
    killFile,
    defaults: DEFAULTS,
    agents: stores.agents.list().map((agent) => ({
      name: agent.name,
      displayName: agent.displayName,
      callsPerDay: agent.callsPerDay,
      callTimeoutS: agent.callTimeoutS,
      testsUnderAccount: agent.testsUnderAccount,
    })),
    projects: stores.projects.list().map(({ id, name, settings }) => ({
      id,
      name,
      dataClass: settings.dataClass,
      allowNetwork: settings.allowNetwork,
      merge: settings.merge,
      testsRunAs:
        stores.agents.get(settings.agent)?.testsUnderAccount === true ? (settings.runTestsAs ?? null) : null,
      caps: capViews(core.projects.figures(id).caps),
      retention: {
        turnEventsDays: settings.keepTurnEventsDays,
        transcriptsDays: settings.keepTranscriptsDays,
        testOutputDays: settings.keepTestOutputDays,
      },
    })),
  };
}

export const settingsRouter = router({
  show: procedure.output(SettingsView).query(({ ctx }) => settingsView(ctx)),
  change: decision
    .input(ChangeSettingsInput)
    .output(SettingsView)
    .mutation(({ ctx, input }) => {
      changePreferences(ctx, definedFields(input.change), input.clear);
      return settingsView(ctx);
    }),
  /** What holds now, and where it was set. */
  policy: procedure.output(PolicyView).query(({ ctx }) => policyView(ctx)),
});
