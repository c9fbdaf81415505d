import type { SandboxPlan } from './sandbox-plan.ts';

/** A string of the profile language, which is Scheme's. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const subpaths = (folders: readonly string[]): string =>
  folders.map((folder) => `(subpath ${quoted(folder)})`).join(' ');

/**
 * Profile for macOS's `sandbox-exec -p` (sandbox-exec(1)); the last rule that matches decides. Written from the
 * documentation and not tried on a Mac.
 *
 * @param temporary a folder of the run's own, in place of the shared temporary folders
 */
export function sandboxExecProfile(plan: SandboxPlan, temporary: string): string {
  const rules = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...(plan.empty.length === 0 ? [] : [`(deny file-read* ${subpaths(plan.empty)})`]),
    // Paths are looked up step by step, so the folders on the way must at least be seen.
    '(allow file-read-metadata)',
    ...(plan.reads.length === 0 ? [] : [`(allow file-read* ${subpaths(plan.reads)})`]),
    ...(plan.hiddenFolders.length === 0 ? [] : [`(deny file-read* ${subpaths(plan.hiddenFolders)})`]),
    ...plan.hiddenFiles.map((file) => `(deny file-read* (literal ${quoted(file.path)}))`),
    ...(plan.allowNetwork
      ? ['(deny network-outbound (remote unix-socket))']
      : [
          '(deny network*)',
          '(allow network* (local ip "localhost:*"))',
          '(allow network-outbound (remote ip "localhost:*"))',
        ]),
    `(allow file-read* file-write* ${subpaths([plan.tree, temporary])})`,
    `(allow network* ${subpaths([plan.tree, temporary])})`,
    ...(plan.gitPointer === null ? [] : [`(deny file-write* (literal ${quoted(plan.gitPointer)}))`]),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (literal "/dev/tty"))',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    '(deny appleevent-send)',
  ];
  return `${rules.join('\n')}\n`;
}
