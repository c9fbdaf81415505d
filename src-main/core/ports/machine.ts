import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';

/** Where the files of this hub lie; absolute paths. */
export interface Places {
  readonly dataFolder: string;
  readonly configFolder: string;
  readonly killFile: string;
}

/** One value of the configuration, and where it was set. */
export interface ConfigValue {
  readonly name: 'maxProcesses' | 'undoSeconds' | 'claude';
  /** Null where nothing is set and nothing stands in for it. */
  readonly value: string | number | null;
  readonly default: string | number | null;
  readonly source: 'default' | 'config' | 'environment';
  /** 1-based line of the configuration file; null when it is not from there. */
  readonly line: number | null;
}

export interface ConfigFacts {
  /** The one file that was read; null when there is none. */
  readonly file: string | null;
  readonly values: readonly ConfigValue[];
}

/** A folder for a person to choose from. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isRepository: boolean;
}

export interface FolderList {
  readonly path: string;
  /** Null at the top of the file system. */
  readonly parent: string | null;
  readonly home: string;
  readonly isRepository: boolean;
  readonly folders: readonly FolderEntry[];
  /** Whether there are more than are listed. */
  readonly isCut: boolean;
}

/** What a repository is like before it becomes a project. */
export interface RepositoryLook {
  readonly root: string;
  readonly name: string;
  readonly baseBranch: string;
  /** Local branches, the newest first, at most 50. */
  readonly branches: readonly string[];
  readonly commits: number;
  /** Paths that differ from the commit, or that git does not know; null when that cannot be told. */
  readonly changedFiles: number | null;
  readonly notices: readonly string[];
  /** What the top folder holds; names of folders end with `/`. */
  readonly entries: readonly string[];
  /** Beginnings of those files among them that say how a project is tested and set up, by name; untrusted. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Questions about this machine that have nothing to do with the store. For persons: it shows what lies where. */
export interface Machine {
  readonly places: Places;
  /** Looks at everything that Signalbox needs; takes seconds. */
  doctor(): Promise<readonly DoctorCheck[]>;
  /** @throws AppError 'config-invalid', 'file-unreadable' */
  config(): Promise<ConfigFacts>;
  /** @param path absolute; the person's home folder when it is null. @throws AppError 'usage', 'file-unreadable' */
  folders(path: string | null): Promise<FolderList>;
  /** @throws AppError `project-*` with what is wrong and what to do */
  repository(path: string): Promise<RepositoryLook>;
}
