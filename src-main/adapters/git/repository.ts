import type { TaskId } from '../../../src-shared/ids.ts';
import type { Identity, Project } from '../../../src-shared/model/project.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { fields, GitFailure, type GitAnswer, type GitCall } from './git-command.ts';
import { record, type GitWorld } from './git-world.ts';
import { patiently } from './locks.ts';
import { exists, openWorkbench, type Workbench } from './workbench.ts';

type Options = Partial<Omit<GitCall, 'gitDir' | 'args' | 'owner'>>;

/** What an update of a ref came to. `moved`: it no longer had the expected old value, nothing was changed. */
export type RefOutcome = 'done' | 'moved' | { readonly lockedBy: string };

/** Stands for "the ref must not exist" in git-update-ref(1), whatever the repository's hash is. */
export const NO_COMMIT = '';

/**
 * One repository of the person's, for one task or for none. `content` runs in the workbench, without the
 * repository's configuration; `refs` runs in the repository and is used for refs and worktrees only.
 */
export class Repository {
  readonly world: GitWorld;
  readonly project: Project;
  readonly taskId: TaskId | null;
  readonly bench: Workbench;

  constructor(world: GitWorld, project: Project, taskId: TaskId | null, bench: Workbench) {
    this.world = world;
    this.project = project;
    this.taskId = taskId;
    this.bench = bench;
  }

  get gitDir(): string {
    return this.project.facts.gitDir;
  }

  get owner(): string {
    return `git-${this.taskId ?? this.project.id}`;
  }

  content(args: readonly string[], options: Options = {}): Promise<GitAnswer> {
    return this.world.git.run({
      ...options,
      gitDir: this.bench.gitDir,
      objects: this.bench.objects,
      config: [...this.bench.config, ...(options.config ?? [])],
      args,
      owner: this.owner,
    });
  }

  refs(args: readonly string[], options: Options & { readonly gitDir?: string } = {}): Promise<GitAnswer> {
    return this.world.git.run({ gitDir: this.gitDir, ...options, args, owner: this.owner });
  }

  /** Commit that a ref or name stands for; null when there is none. */
  async resolve(revision: string): Promise<string | null> {
    const { exitCode, text } = await this.refs(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
      { answers: [0, 1, 128] },
    );
    return exitCode === 0 ? text.trim() : null;
  }

  /** @throws AppError 'project-branch-missing' */
  async baseHead(): Promise<string> {
    const head = await this.resolve(baseRef(this.project));
    if (head !== null) return head;
    throw new AppError('project-branch-missing', `The branch ${this.project.baseBranch} is gone.`, {
      hint: `signalbox project set ${this.project.name} base=<branch>`,
    });
  }

  async treeOf(commit: string): Promise<string> {
    const { text } = await this.content(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
    return text.trim();
  }

  async parentsOf(commit: string): Promise<readonly string[]> {
    const { text } = await this.content(['rev-list', '--parents', '--max-count=1', commit]);
    return text.trim().split(' ').slice(1);
  }

  async contains(descendant: string, ancestor: string): Promise<boolean> {
    const { exitCode } = await this.content(['merge-base', '--is-ancestor', ancestor, descendant], {
      answers: [0, 1],
    });
    return exitCode === 0;
  }

  /** Whether the object is there and is a commit; a name from the database may be of a repository made anew. */
  async hasCommit(commit: string): Promise<boolean> {
    const { exitCode } = await this.content(['cat-file', '-e', `${commit}^{commit}`], {
      answers: [0, 1, 128],
    });
    return exitCode === 0;
  }

  async commitTree(tree: string, parents: readonly string[], message: string): Promise<string> {
    const { name, email } = authorOf(this.project);
    const { text } = await this.content(['commit-tree', tree, ...parents.flatMap((each) => ['-p', each])], {
      input: message,
      env: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, ...this.dates() },
    });
    return text.trim();
  }

  /** @param old expected value; `NO_COMMIT` when the ref must not exist. @param next null deletes it */
  async updateRef(ref: string, next: string | null, old: string, reason: string): Promise<RefOutcome> {
    const args = next === null ? ['-d', ref, old] : ['-m', `signalbox: ${reason}`, ref, next, old];
    return await patiently(this, () => this.tryUpdate(args));
  }

  /** Deletes a ref of ours at whatever it is. Not there is done. */
  async dropRef(ref: string): Promise<RefOutcome> {
    const { exitCode, text } = await this.refs(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', ref],
      {
        answers: [0, 1, 128],
      },
    );
    return exitCode === 0 ? await this.updateRef(ref, null, text.trim(), 'done with it') : 'done';
  }

  private async tryUpdate(args: readonly string[]): Promise<'done' | 'moved'> {
    try {
      await this.refs(['update-ref', ...args], { env: this.dates() });
      return 'done';
    } catch (error) {
      // "but expected", "reference already exists", "unable to resolve reference": refs/files-backend.c of 2.39.
      if (
        error instanceof GitFailure &&
        /but expected|reference already exists|unable to resolve reference|reference is missing/.test(
          error.stderr,
        )
      ) {
        return 'moved';
      }
      throw error;
    }
  }

  /** Every ref below a prefix with its commit. @param among options of git-for-each-ref(1) */
  async refsBelow(prefix: string, among: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
    const format = '--format=%(refname)%00%(objectname)%00';
    const { text } = await this.refs(['for-each-ref', format, ...among, prefix]);
    const found = new Map<string, string>();
    const parts = fields(text.replace(/\0\n/g, '\0'));
    for (let at = 0; at + 1 < parts.length; at += 2) found.set(parts[at] ?? '', parts[at + 1] ?? '');
    return found;
  }

  /** Whether any branch, tag, remote-tracking branch, stash or ref of ours reaches the commit. */
  async isReachable(commit: string, except: readonly string[] = []): Promise<boolean> {
    const { text } = await this.refs(['for-each-ref', '--format=%(refname)', '--contains', commit]);
    return text.split('\n').some((ref) => ref !== '' && !except.includes(ref));
  }

  /** In the repository's queue: one write at a time, waits in the ledger. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.world.turns.take(
      this.gitDir,
      this.taskId ?? this.project.id,
      (holder, duration) => this.recordWait('repository', holder, duration),
      work,
    );
  }

  recordWait(what: string, holder: string, durationMs: number): void {
    this.world.stores.transaction(() =>
      record(this.world, this.project, this.taskId, 'git.lock_wait', {
        what,
        holder,
        durationMs: Math.round(durationMs),
      }),
    );
  }

  private dates(): Record<string, string> {
    const date = `@${Math.floor(this.world.clock.now() / 1000)} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }
}

export const baseRef = (project: Project): string => `refs/heads/${project.baseBranch}`;

const authorOf = (project: Project): Identity =>
  project.facts.author ?? { name: 'Signalbox', email: 'signalbox@localhost' };

/** @throws AppError 'project-folder-missing' when the repository is not where it was */
export async function openRepository(
  world: GitWorld,
  project: Project,
  taskId: TaskId | null,
): Promise<Repository> {
  if (!(await exists(project.facts.gitDir))) {
    throw new AppError(
      'project-folder-missing',
      `The repository of ${project.name} is not at ${project.facts.root} any more.`,
      {
        hint: `Put it back there, or take the project out: signalbox project remove ${project.name}.`,
      },
    );
  }
  const bench = await openWorkbench(world.git, project, world.folders.project(project), world.benchConfigs);
  return new Repository(world, project, taskId, bench);
}
