import { spawn, type ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { OWNER_VARIABLE } from './process-rows.ts';
import type { OwnedSpec, SpawnFailure } from './spawner.ts';

export type Launched = { readonly kind: 'launched'; readonly child: ChildProcess } | SpawnFailure;
/** Starts the program, registered with nobody. For the spawner alone. */
export type Launch = (spec: OwnedSpec) => Promise<Launched>;

/**
 * Through Node itself. execa would add 85 ms to the first start of every short-lived command line and 1 ms to each
 * child, for what is not used here: the tree, the end and the output are this folder's own business.
 */
export const launchDirectly: Launch = (spec) => {
  const wrong = checkFolder(spec.cwd);
  if (wrong !== null) return Promise.resolve(wrong);
  let child: ChildProcess;
  try {
    child = spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: environmentOf(spec),
      detached: true,
      shell: false,
      stdio: [spec.stdin, 'pipe', 'pipe'],
      windowsHide: true,
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    });
  } catch (error) {
    return Promise.resolve(failureOf(spec, error));
  }
  // The system says at once whether the program runs; the event with the reason follows.
  if (child.pid !== undefined) return Promise.resolve({ kind: 'launched', child });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(failureOf(spec, error)));
  });
};

/**
 * Through execa, which knows how Windows starts what npm installs (`claude.cmd`, a script with a first line that
 * names its interpreter): Node refuses those without a shell, and quoting for cmd.exe is not ours to write.
 */
export const launchWithExeca: Launch = async (spec) => {
  const wrong = checkFolder(spec.cwd);
  if (wrong !== null) return wrong;
  const { execa } = await import('execa');
  try {
    const running = execa(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: environmentOf(spec),
      extendEnv: false,
      detached: true,
      cleanup: false,
      buffer: false,
      reject: false,
      stdin: spec.stdin === 'pipe' ? pipeKind() : 'ignore',
      stdout: pipeKind(),
      stderr: pipeKind(),
      windowsHide: true,
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    });
    const child = await running.nodeChildProcess;
    if (child.pid !== undefined) return { kind: 'launched', child };
    const result = await running;
    return failureOf(spec, result.cause ?? result);
  } catch (error) {
    return failureOf(spec, error);
  }
};

export const defaultLaunch: Launch = process.platform === 'win32' ? launchWithExeca : launchDirectly;

const pipeKind = (): 'pipe' | 'overlapped' => (process.platform === 'win32' ? 'overlapped' : 'pipe');

const environmentOf = (spec: OwnedSpec): Record<string, string> => ({
  ...spec.env,
  [OWNER_VARIABLE]: spec.mark,
});

/** A missing folder would come back as "program not found". */
function checkFolder(cwd: string): SpawnFailure | null {
  try {
    if (statSync(cwd).isDirectory()) return null;
  } catch {
    // Told below.
  }
  return { kind: 'not-started', code: 'spawn-failed', message: `The folder ${cwd} is not there.` };
}

function failureOf(spec: OwnedSpec, error: unknown): SpawnFailure {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return {
      kind: 'not-started',
      code: 'executable-not-found',
      message: `The program ${spec.file} was not found.`,
    };
  }
  const reasons: Record<string, string> = {
    EACCES: 'it may not be executed',
    EPERM: 'the system does not permit it',
    E2BIG: 'its arguments or environment are too long',
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open',
    EAGAIN: 'there are too many processes',
    ENOMEM: 'there is not enough memory',
    ENOEXEC: 'it is no program of this system',
  };
  const reason = reasons[code ?? ''] ?? `the system said ${code ?? 'nothing'}`;
  return {
    kind: 'not-started',
    code: 'spawn-failed',
    message: `The program ${spec.file} could not be started: ${reason}.`,
  };
}
