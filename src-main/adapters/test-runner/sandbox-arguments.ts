import type { SandboxPlan } from './sandbox-plan.ts';

/**
 * Parts of `/proc` that belong to the whole machine. Bubblewrap 0.8.0 leaves `/proc/sys` writable when it runs as
 * root with no capabilities: its look with access(2) sees a read-only folder, but root owns the files in it
 * (measured 2026 on Debian 12: the host's core_pattern could be written from inside).
 */
const MACHINE_WIDE = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map(
  (name) => `/proc/${name}`,
);

/**
 * Arguments of bubblewrap for a plan, without the command. Order matters: each entry lies over the ones before.
 *
 * @see https://manpages.debian.org/bookworm/bubblewrap/bwrap.1.en.html
 */
export function bubblewrapArguments(plan: SandboxPlan): readonly string[] {
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...MACHINE_WIDE.flatMap((name) => ['--ro-bind-try', name, name]),
    ...plan.empty.flatMap((folder) => ['--tmpfs', folder]),
    ...plan.reads.flatMap((read) => ['--ro-bind', read, read]),
    ...plan.hiddenFolders.flatMap((folder) => ['--tmpfs', folder]),
    ...plan.hiddenFiles.flatMap(({ path, behind }) => ['--ro-bind', behind, path]),
    ...['--bind', plan.tree, plan.tree],
    ...(plan.gitPointer === null ? [] : ['--ro-bind', plan.gitPointer, plan.gitPointer]),
    '--unshare-all',
    ...(plan.allowNetwork ? ['--share-net'] : []),
    '--unshare-pid',
    '--die-with-parent',
    '--new-session',
    ...['--cap-drop', 'ALL', '--chdir', plan.tree],
  ];
}

/** What an empty machine would do with bubblewrap: nothing is hidden but the namespaces are all there. */
export const PROBE_ARGUMENTS: readonly string[] = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--unshare-all'],
  ...['--unshare-pid', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--chdir', '/'],
];
