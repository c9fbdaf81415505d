import type { Project } from '../../../src-shared/model/project.ts';
import { epochMs, type EpochMs } from '../../../src-shared/time.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { discardUnused, markUnused } from './discard-artifacts.ts';
import { discardLeftovers } from './discard-leftovers.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Setting with the calendar day of the last run. */
const LAST_DAY = 'retention.last-day';

/** From when on texts are kept; null keeps them for ever. */
export interface Cutoffs {
  readonly events: EpochMs | null;
  readonly transcripts: EpochMs | null;
  readonly testOutput: EpochMs | null;
}

/** @param now days are lengths of 24 hours here: a text may live some hours longer than the calendar says */
export function cutoffsOf(project: Pick<Project, 'settings'>, now: EpochMs): Cutoffs {
  const { keepTurnEventsDays, keepTranscriptsDays, keepTestOutputDays } = project.settings;
  const before = (days: number | null): EpochMs | null =>
    days === null ? null : epochMs(now - days * DAY_MS);
  return {
    events: before(keepTurnEventsDays),
    transcripts: before(keepTranscriptsDays),
    testOutput: before(keepTestOutputDays),
  };
}

export interface Retention {
  /** Once per calendar day, also when the hub runs on for weeks or is started many times a day. */
  runIfDue(): Promise<void>;
  /** Deletes now what is older than each project keeps; what was deleted is a ledger entry per project. */
  run(): Promise<void>;
}

/**
 * Retention of texts (12-engine, Store and ledger), for removed projects too: their ledger and tasks stay, their
 * texts age like all others. Facts, figures and hashes are never deleted.
 */
export function createRetention(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'artifacts' | 'log' | 'leftovers'>,
): Retention {
  const { stores, clock } = deps;

  const runFor = (project: Project): void => {
    const cutoffs = cutoffsOf(project, clock.now());
    stores.transaction(() => {
      const deleteEvents = (what: 'events' | 'transcripts', before: EpochMs | null): number =>
        before === null ? 0 : stores.events.deleteBefore(project.id, what, before);
      const turnEvents = deleteEvents('events', cutoffs.events);
      const transcriptEntries = deleteEvents('transcripts', cutoffs.transcripts);
      let testOutputs = 0;
      if (cutoffs.testOutput !== null) {
        const forgotten = stores.texts.forgetTestOutput(project.id, cutoffs.testOutput);
        testOutputs = forgotten.testRuns;
        markUnused(stores, forgotten.unusedHashes);
      }
      if (turnEvents + transcriptEntries + testOutputs === 0) return;
      stores.ledger.append({
        kind: 'retention.deleted',
        projectId: project.id,
        project: project.name,
        data: {
          by: 'signalbox',
          turnEvents,
          transcriptEntries,
          testOutputs,
          before: { ...cutoffs },
        },
      });
    });
  };

  const run = async (): Promise<void> => {
    for (const project of stores.projects.list({ withRemoved: true })) runFor(project);
    await discardUnused(deps);
    await discardLeftovers(deps);
  };

  return {
    run,
    async runIfDue() {
      const today = clock.localDay(clock.now());
      if (stores.settings.get(LAST_DAY) === today) return;
      await run();
      stores.settings.set(LAST_DAY, today);
    },
  };
}
