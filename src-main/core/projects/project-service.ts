import { AppError } from '../../../src-shared/errors.ts';
import type { ProjectId } from '../../../src-shared/ids.ts';
import type { LedgerData } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import { ProjectSettings, type Project } from '../../../src-shared/model/project.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { spikeOf } from '../limits/caps.ts';
import type { Actor, ChangeProject, HubStatus, ProjectService } from '../services.ts';
import { accountProblem, agentOf, projectFigures } from './project-figures.ts';
import { createProjectRemoval } from './remove-project.ts';
import { addedFacts, changedFacts, checkProjectName, checkSlots, parseSettings } from './settings.ts';

export type ProjectServiceDeps = Pick<
  CoreDeps,
  'stores' | 'clock' | 'ids' | 'hash' | 'log' | 'workspaces' | 'commands' | 'artifacts' | 'feed' | 'isHub'
>;

/**
 * Registered repositories and everything a person can set about them. Each change and its ledger entry are one
 * transaction; what needs git or the system is asked before it, and what may have changed meanwhile is read again
 * inside it.
 *
 * @param hub `status` tells switches and holds as they are now, for the reason why nothing is dispatched
 */
export function createProjectService(
  deps: ProjectServiceDeps,
  hub: { readonly status: () => HubStatus },
): ProjectService {
  const { stores, clock, hash } = deps;

  const existing = (id: ProjectId): Project => {
    const project = stores.projects.get(id);
    if (project !== null && project.removedAt === null) return project;
    throw new AppError('not-found', 'There is no such project.', { hint: 'See signalbox project list.' });
  };

  const requireFreeName = (name: string, except: ProjectId | null): void => {
    const other = stores.projects.byName(name);
    if (other === null || other.id === except) return;
    throw new AppError('project-name-taken', `Another project is called ${name}.`, {
      hint: 'Give this one another name (--name).',
    });
  };

  /** What settings refer to outside themselves. Asks the system, so it runs before the transaction. */
  const checkReferences = async (
    settings: ProjectSettings,
    before: ProjectSettings | null,
  ): Promise<void> => {
    const agent = agentOf(stores, settings.agent);
    // What has stood there is not looked at again, or nothing could be set any more once the account has gone.
    const isAsBefore = settings.runTestsAs === before?.runTestsAs && settings.agent === before?.agent;
    if (isAsBefore) return;
    const problem = accountProblem({ settings }, agent);
    if (problem !== null) {
      throw new AppError('account-unusable', problem, {
        hint: `Name one with --run-tests-as, or: signalbox agent set ${agent.name} testsUnderAccount=false`,
      });
    }
    // Also while the switch is off: it is used from the moment that somebody switches it on.
    if (settings.runTestsAs === undefined) return;
    const unusable = await deps.commands.checkAccount(settings.runTestsAs);
    if (unusable === null) return;
    throw new AppError('account-unusable', `runTestsAs: ${unusable}`, {
      hint: 'Make the account usable first, or name another one with --run-tests-as (runTestsAs=NAME).',
    });
  };

  const record = (kind: LedgerKind, project: Project, actor: Actor, data: LedgerData): void => {
    stores.ledger.append({
      kind,
      projectId: project.id,
      project: project.name,
      data: { by: actor.name, via: actor.via, ...data },
    });
  };

  /** Consents that must be found in the ledger by themselves, each time they are given or taken back. */
  const recordConsents = (before: Project | null, after: Project, actor: Actor): void => {
    const oldClass = before?.settings.dataClass ?? null;
    if (after.settings.dataClass !== (oldClass ?? 'synthetic')) {
      record('policy.data_class', after, actor, { old: oldClass, new: after.settings.dataClass });
    }
    const oldConsent = before?.settings.allowUnconfinedTests ?? false;
    if (after.settings.allowUnconfinedTests !== oldConsent) {
      record('policy.unconfined_tests', after, actor, {
        old: oldConsent,
        new: after.settings.allowUnconfinedTests,
      });
    }
  };

  const store = (before: Project, after: Project, actor: Actor): Project => {
    const changes = changedFacts(before, after, hash);
    if (Object.keys(changes).length === 0) return before;
    stores.projects.update(after);
    record('project.changed', after, actor, { changes });
    recordConsents(before, after, actor);
    return after;
  };

  /** The settings that a change leads to, from those stored now. */
  const settingsAfter = (
    project: Project,
    change: ChangeProject,
    found: Pick<ProjectSettings, 'setupInputs' | 'sandboxRead'> | null,
  ): ProjectSettings => {
    const input: Record<string, unknown> = { ...project.settings, ...change.settings };
    for (const key of change.clear ?? []) {
      if (!Object.hasOwn(ProjectSettings.shape, key)) {
        throw new AppError('usage', `There is no setting ${key}.`, {
          hint: 'See signalbox project show for their names.',
        });
      }
      delete input[key];
      // The default of these two is what the repository and this machine have, not a fixed value.
      if (found !== null && (key === 'setupInputs' || key === 'sandboxRead')) input[key] = found[key];
    }
    return parseSettings(input);
  };

  const removal = createProjectRemoval(deps, existing, record);

  return {
    async add(input, actor) {
      const slots = checkSlots(input.slots ?? 1);
      const inspected = await deps.workspaces.inspectRepository(input.path, input.base ?? null);
      const settings = parseSettings({
        ...input.settings,
        setupInputs: input.settings.setupInputs ?? [...inspected.setupInputs],
        sandboxRead: input.settings.sandboxRead ?? [...inspected.sandboxRead],
      });
      const name = checkProjectName(input.name ?? inspected.name);
      await checkReferences(settings, null);
      const project = stores.transaction(() => {
        const registered = stores.projects.byRoot(inspected.facts.root);
        if (registered !== null) {
          throw new AppError(
            'project-already-registered',
            `This repository is registered already, as ${registered.name}.`,
            { hint: `Change it with: signalbox project set ${registered.name} key=value` },
          );
        }
        requireFreeName(name, null);
        const added: Project = {
          id: deps.ids.next('project'),
          name,
          path: inspected.facts.root,
          baseBranch: inspected.baseBranch,
          slots,
          isEnabled: true,
          disabledReason: null,
          isPaused: false,
          settings,
          facts: inspected.facts,
          createdAt: clock.now(),
          removedAt: null,
        };
        stores.projects.insert(added);
        record('project.added', added, actor, { path: added.path, ...addedFacts(added, hash) });
        recordConsents(null, added, actor);
        return added;
      });
      deps.feed.projectChanged(project.id);
      return project;
    },

    async change(id, change, actor) {
      const seen = existing(id);
      const name = change.name === undefined ? undefined : checkProjectName(change.name);
      if (change.slots !== undefined) checkSlots(change.slots);
      const clearsFound =
        change.clear?.some((key) => key === 'setupInputs' || key === 'sandboxRead') === true;
      const inspected =
        change.base === undefined && !clearsFound
          ? null
          : await deps.workspaces.inspectRepository(seen.path, change.base ?? seen.baseBranch);
      const found =
        inspected === null
          ? null
          : { setupInputs: [...inspected.setupInputs], sandboxRead: [...inspected.sandboxRead] };
      await checkReferences(settingsAfter(seen, change, found), seen.settings);
      const project = stores.transaction(() => {
        const before = existing(id);
        if (name !== undefined) requireFreeName(name, id);
        const settings = settingsAfter(before, change, found);
        agentOf(stores, settings.agent);
        if (settings.agent !== before.settings.agent && spikeOf(before, stores.spikes.current()) !== null) {
          throw new AppError('spike-running', 'A spike runs over this project; its agent cannot change.', {
            hint: 'End it first: signalbox spike stop',
          });
        }
        const baseBranch =
          change.base === undefined ? before.baseBranch : (inspected?.baseBranch ?? change.base);
        if (baseBranch !== before.baseBranch && removal.treesOf(before).some((tree) => !tree.isEnded)) {
          throw new AppError(
            'project-has-open-tasks',
            'Tasks under way were begun from the present base branch.',
            { hint: 'Finish or cancel them, then change the base.' },
          );
        }
        const after: Project = {
          ...before,
          name: name ?? before.name,
          baseBranch,
          slots: change.slots ?? before.slots,
          settings,
        };
        return store(before, after, actor);
      });
      deps.feed.projectChanged(id);
      return project;
    },

    setEnabled(id, isEnabled, actor) {
      const project = stores.transaction(() => {
        const before = existing(id);
        if (before.isEnabled === isEnabled && before.disabledReason === null) return before;
        const after: Project = { ...before, isEnabled, disabledReason: null };
        stores.projects.update(after);
        record(isEnabled ? 'project.enabled' : 'project.disabled', after, actor, {
          old: before.isEnabled,
          new: isEnabled,
          reasonBefore: before.disabledReason,
        });
        return after;
      });
      deps.feed.projectChanged(id);
      return project;
    },

    setSlots(id, slots, actor) {
      checkSlots(slots);
      const project = stores.transaction(() => {
        const before = existing(id);
        return store(before, { ...before, slots }, actor);
      });
      deps.feed.projectChanged(id);
      return project;
    },

    remove: (id, options, actor) => removal.remove(id, options, actor),

    figures: (id) => projectFigures(stores, clock, existing(id), hub.status()),
  };
}
