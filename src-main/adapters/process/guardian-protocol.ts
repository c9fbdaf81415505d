import type { HubId } from '../../../src-shared/ids.ts';
import { OWN_FOLDER } from '../environment.ts';
import path from 'node:path';

/** A tree as the guardian knows it. */
export interface GuardedTree {
  readonly pid: number;
  readonly processStart: string | null;
  readonly mark: string;
  /**
   * `child` is what the kill switch is about (agents, tests). A `command` (git, a version check) is short and may
   * also be started while the switch is engaged.
   */
  readonly kind: 'child' | 'command';
}

/** Where the spawner registers what it starts, before anything is written to it. */
export interface TreeRegistry {
  readonly isRunning: boolean;
  /** Starts it, or waits for the start under way: calls arrive before a young hub has one. */
  start(): Promise<void>;
  /** Resolves when the guardian's pipe has taken it. @throws AppError 'guardian-unavailable' */
  add(tree: GuardedTree): Promise<void>;
  /** The tree has ended. Never throws. */
  remove(tree: Pick<GuardedTree, 'pid' | 'processStart'>): void;
}

/** Lines from the hub to its guardian, one JSON object each. The first is `hello`; an end without `bye` is a crash. */
export type GuardianLine =
  | {
      readonly kind: 'hello';
      readonly hub: HubId;
      readonly hubPid: number;
      readonly dataFolder: string;
    }
  | { readonly kind: 'add'; readonly tree: GuardedTree }
  | { readonly kind: 'remove'; readonly pid: number; readonly processStart: string | null }
  | { readonly kind: 'bye' };

/** What the guardian prints once it watches: the hub starts nothing before. */
export const READY_LINE = 'ready\n';

export const formatLine = (line: GuardianLine): string => `${JSON.stringify(line)}\n`;

/** One line of the hub. The pipe has one writer of the same build, so a line that is none is a cut last one: null. */
export function parseLine(text: string): GuardianLine | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'kind' in value ? (value as GuardianLine) : null;
  } catch {
    return null;
  }
}

/** Folder of receipts that wait for the next hub. */
export const receiptFolder = (dataFolder: string): string => path.join(dataFolder, 'guardian-receipts');
/** Who guards now, so that the next hub waits for it to finish. */
export interface GuardianPresence {
  readonly pid: number;
  readonly processStart: string;
  readonly hubPid: number;
  readonly hubStart: string | null;
}

/** Holds a `GuardianPresence` while a guardian runs. */
export const presenceFile = (dataFolder: string): string => path.join(dataFolder, 'guardian.json');
/** The built guardian of this package. */
export const GUARDIAN_FILE = path.join(OWN_FOLDER, 'out', 'cli', 'guardian.js');
