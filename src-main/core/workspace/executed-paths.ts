import type { TurnEvent } from '../ports/harness.ts';

/**
 * Paths outside the tree that a tool of the run was *executed* on. Denied calls come back as errors and do not count
 * (12-engine, Git: denied ones are counted and shown). Writes outside are prevented by the CLI's confinement; this is
 * the second look, over what the stream showed.
 *
 * @param tree absolute path of the task's worktree, without a trailing separator
 */
export function executedOutside(events: readonly TurnEvent[], tree: string): readonly string[] {
  const asked = new Map<string, string>();
  const outside: string[] = [];
  for (const event of events) {
    if (event.kind === 'tool' && event.path !== null && !isInside(event.path, tree))
      asked.set(event.id, `${event.name} ${event.path}`);
    if (event.kind === 'tool-result' && !event.isError) {
      const what = asked.get(event.id);
      if (what !== undefined) outside.push(what);
    }
  }
  return outside;
}

/** Whether a path as the tool named it (absolute, or relative to the tree) stays inside, `..` resolved by text. */
export function isInside(path: string, tree: string): boolean {
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  const full = normal(isAbsolute ? path : `${tree}/${path}`);
  const root = normal(tree);
  return full === root || full.startsWith(`${root}/`);
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
