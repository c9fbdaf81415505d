import type { TaskNumber } from '../../../src-shared/ids.ts';

const LONGEST_SLUG = 40;

/** Lower-case ASCII words of a title, joined by `-`; `task` when nothing is left of it. At most 40 characters. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '');
  return words === '' ? 'task' : words;
}

/**
 * `signalbox/<task number>-<slug>`, plain ASCII and far below the 120 characters of 12-engine (Ids).
 *
 * @param attempt 1 for the first choice; from 2 on a suffix, for a repository in which another data folder already
 *   used the name
 */
export function branchName(number: TaskNumber, title: string, attempt = 1): string {
  return `signalbox/${number}-${slugOf(title)}${attempt === 1 ? '' : `-${attempt}`}`;
}

/** Branch that `task restore` makes of a kept state. */
export function restoredBranchName(number: TaskNumber, title: string, attempt = 1): string {
  return `signalbox/restored-${number}-${slugOf(title)}${attempt === 1 ? '' : `-${attempt}`}`;
}
