import path from 'node:path';

/** What the machine looks like, found by `sandbox-facts.ts`. Every path is absolute, real and exists. */
export interface SandboxFacts {
  readonly tree: string;
  /** The tree's `.git` pointer; null when there is none. */
  readonly gitPointer: string | null;
  /** HOME and the account's own home, which sudo may have left different; without `/`, which cannot be hidden. */
  readonly homes: readonly string[];
  readonly dataFolder: string | null;
  readonly runtimeFolder: string | null;
  /** Temporary and run-time folders that are made empty: `/tmp`, `/var/tmp`, `/run`, `/var/run`. */
  readonly emptied: readonly string[];
  /** Folders of the inherited PATH. */
  readonly pathFolders: readonly string[];
  /** What the project's `sandbox_read` lists. */
  readonly reads: readonly string[];
  /** Where name resolution is configured, when the network is allowed and it lies in an emptied folder. */
  readonly resolver: string | null;
  readonly credentialFolders: readonly string[];
  readonly credentialFiles: readonly string[];
  readonly sockets: readonly string[];
  /** An empty file that may lie over others; null when there is none: then `/dev/null` does, which some refuse to read. */
  readonly emptyFile: string | null;
  readonly allowNetwork: boolean;
}

/** What is visible and writable, in the order in which it must be laid out: later ones lie over earlier ones. */
export interface SandboxPlan {
  readonly tree: string;
  readonly gitPointer: string | null;
  /** Empty folders of the sandbox's own, HOME among them. */
  readonly empty: readonly string[];
  /** Read-only, over the empty ones. */
  readonly reads: readonly string[];
  /** Folders hidden again, over the reads. */
  readonly hiddenFolders: readonly string[];
  /** Files and sockets with what lies over them. */
  readonly hiddenFiles: readonly { readonly path: string; readonly behind: string }[];
  readonly allowNetwork: boolean;
}

/** True for the folder itself and for everything below it. */
export function isWithin(folder: string, target: string): boolean {
  const way = path.relative(folder, target);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

const isWithinAny = (folders: readonly string[], target: string): boolean =>
  folders.some((folder) => isWithin(folder, target));

/** Without doubles and without what lies below another one, outer ones first. */
function outermost(folders: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const folder of [...new Set(folders)].toSorted((a, b) => a.length - b.length)) {
    if (!isWithinAny(kept, folder)) kept.push(folder);
  }
  return kept;
}

/**
 * Decides what a test command sees (12-engine, Test runs): everything read-only, its tree writable, homes and the
 * temporary folders empty except the folders of PATH and `sandbox_read`, and the data folder, credentials and
 * path sockets hidden. Pure.
 */
export function planSandbox(facts: SandboxFacts): SandboxPlan {
  // HOME is there even when a folder around it is emptied as well.
  const empty = [...new Set([...facts.homes, ...facts.emptied])].toSorted(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  const isEmptied = (target: string): boolean => isWithinAny(empty, target);
  // A PATH entry that is HOME itself, or a parent of it, would bring back all of it.
  const pathReads = facts.pathFolders.filter(
    (folder) => isEmptied(folder) && !empty.some((one) => isWithin(folder, one)),
  );
  const reads = outermost([
    ...pathReads,
    ...facts.reads.filter(isEmptied),
    ...(facts.allowNetwork && facts.resolver !== null && isEmptied(facts.resolver) ? [facts.resolver] : []),
  ]);
  const isVisible = (target: string): boolean => !isEmptied(target) || isWithinAny(reads, target);
  // A folder to hide may also contain a read: what is read below it goes with it.
  const reaches = (folder: string): boolean =>
    isVisible(folder) || reads.some((read) => isWithin(folder, read));
  const wanted = [
    ...(facts.dataFolder === null ? [] : [facts.dataFolder]),
    ...(facts.runtimeFolder === null ? [] : [facts.runtimeFolder]),
    ...facts.credentialFolders,
  ];
  const hiddenFolders = outermost(
    wanted.filter((folder) => folder !== path.sep && !isWithin(facts.tree, folder) && reaches(folder)),
  );
  const cover = (files: readonly string[], behind: string): readonly SandboxPlan['hiddenFiles'][number][] =>
    files
      .filter((file) => !isWithin(facts.tree, file) && isVisible(file) && !isWithinAny(hiddenFolders, file))
      .toSorted()
      .map((file) => ({ path: file, behind }));
  return {
    tree: facts.tree,
    gitPointer: facts.gitPointer,
    empty,
    reads,
    hiddenFolders,
    // Over a socket goes a device: nothing can connect to that, and bubblewrap takes it for a file.
    hiddenFiles: [
      ...cover(facts.credentialFiles, facts.emptyFile ?? '/dev/null'),
      ...cover(facts.sockets, '/dev/null'),
    ],
    allowNetwork: facts.allowNetwork,
  };
}
