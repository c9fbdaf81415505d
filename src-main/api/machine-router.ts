/** Questions about this machine: for persons alone, as the answers show what lies where. */
import type { DoctorView } from '../../src-shared/api/doctor.ts';
import {
  FoldersInput,
  FoldersView,
  InspectProjectInput,
  InspectProjectView,
} from '../../src-shared/api/machine.ts';
import { isAppError } from '../../src-shared/errors.ts';
import { suggestCommands, type Suggestion } from '../core/projects/suggest-commands.ts';
import type { ApiServices } from './context.ts';
import { decision, router } from './trpc.ts';

const suggestionView = ({ command, source }: Suggestion) => ({ command: [...command], source });

async function inspectView({ machine, stores }: ApiServices, path: string): Promise<InspectProjectView> {
  try {
    const look = await machine.repository(path);
    const { test, setup } = suggestCommands(look);
    const { root, name, baseBranch, commits, changedFiles } = look;
    return {
      path,
      problem: null,
      repository: {
        root,
        name,
        baseBranch,
        branches: [...look.branches],
        commits,
        changedFiles,
        isClean: changedFiles === null ? null : changedFiles === 0,
        notices: [...look.notices],
        registeredAs: stores.projects.byRoot(root)?.name ?? null,
      },
      testCommands: test.map(suggestionView),
      setupCommands: setup.map(suggestionView),
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { code, message, hint } = error;
    return {
      path,
      problem: { code, message, fix: hint ?? null },
      repository: null,
      testCommands: [],
      setupCommands: [],
    };
  }
}

export const filesRouter = router({
  /** Folders in a folder, for choosing one. */
  folders: decision
    .input(FoldersInput)
    .output(FoldersView)
    .query(async ({ ctx, input }) => {
      const list = await ctx.machine.folders(input.path ?? null);
      return { ...list, folders: list.folders.map((folder) => ({ ...folder })) };
    }),
});

/** Part of the project router. */
export const projectInspection = {
  inspect: decision
    .input(InspectProjectInput)
    .output(InspectProjectView)
    .query(({ ctx, input }) => inspectView(ctx, input.path)),
};

export async function doctorView({ machine, version }: ApiServices): Promise<DoctorView> {
  const checks = await machine.doctor();
  return {
    ok: checks.every((check) => check.status !== 'problem'),
    version,
    checks: checks.map((check) => ({ ...check })),
  };
}
