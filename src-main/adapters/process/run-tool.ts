import { execFile } from 'node:child_process';

/** Runs one of the system's own tools and gives its output; rejects when it is missing, fails or takes 5 s. */
export type RunTool = (file: string, args: readonly string[]) => Promise<string>;

/**
 * For the process table itself only (`ps`, PowerShell, `taskkill`): these run before and below the spawner, so
 * they carry no mark; the time limit ends them.
 */
export const runTool: RunTool = (file, args) =>
  new Promise((resolve, reject) => {
    execFile(
      file,
      [...args],
      {
        encoding: 'utf8',
        timeout: 5_000,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
        windowsHide: true,
      },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(error);
      },
    );
  });
