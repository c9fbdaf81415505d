import type { ProjectId, SpikeId } from '../../src-shared/ids.ts';
import { DEFAULT_AGENT, type Agent } from '../../src-shared/model/agent.ts';
import { ProjectSettings, type Project, type ProjectSettingsInput } from '../../src-shared/model/project.ts';
import type { Spike } from '../../src-shared/model/spike.ts';
import { microUsd } from '../../src-shared/money.ts';
import { epochMs } from '../../src-shared/time.ts';

let made = 0;

/** A project like `project add` makes one, with an id and a name of its own. */
export function makeProject(
  given: Partial<Omit<Project, 'settings'>> & { readonly settings?: ProjectSettingsInput } = {},
): Project {
  made += 1;
  const id = `prj_made${String(made).padStart(4, '0')}` as ProjectId;
  const root = `/repositories/${id}`;
  const { settings, ...rest } = given;
  return {
    id,
    name: `project-${made}`,
    path: root,
    baseBranch: 'main',
    slots: 1,
    isEnabled: true,
    disabledReason: null,
    isPaused: false,
    facts: {
      root,
      gitDir: `${root}/.git`,
      author: { name: 'Asha Rao', email: 'asha@example.com' },
      autocrlf: null,
      eol: null,
      excludesFile: null,
      notices: [],
    },
    createdAt: epochMs(0),
    removedAt: null,
    ...rest,
    settings: ProjectSettings.parse(settings ?? {}),
  };
}

/** A running spike of three days from the beginning of time; money and times as plain numbers. */
export function makeSpike(
  given: Partial<Omit<Spike, 'budgetMicroUsd' | 'startedAt' | 'endsAt' | 'endedAt'>> & {
    readonly budgetMicroUsd?: number;
    readonly startedAt?: number;
    readonly endsAt?: number;
    readonly endedAt?: number | null;
  } = {},
): Spike {
  const { budgetMicroUsd, startedAt, endsAt, endedAt, ...rest } = given;
  return {
    id: 'spk_made' as SpikeId,
    projectIds: [],
    callsPerDay: 20,
    days: 3,
    keepCap: false,
    callsBefore: 20,
    endedReason: null,
    ...rest,
    budgetMicroUsd: microUsd(budgetMicroUsd ?? 10_000_000),
    startedAt: epochMs(startedAt ?? 0),
    endsAt: epochMs(endsAt ?? 3 * 24 * 3600 * 1000),
    endedAt: endedAt === undefined || endedAt === null ? null : epochMs(endedAt),
  };
}

export const makeAgent = (given: Partial<Agent> = {}): Agent => ({ ...DEFAULT_AGENT, ...given });
