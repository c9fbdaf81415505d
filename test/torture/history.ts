import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ScriptedLogEntry } from '../../src-main/hosts/cli/demo/scripted-scenario.ts';

/** What the scripted `claude` itself saw: its log and the histories of its sessions. */
export interface AgentHistory {
  /** Prompts that stand in each session's history, by session id. */
  readonly promptsBySession: ReadonlyMap<string, readonly string[]>;
  readonly log: readonly ScriptedLogEntry[];
}

const linesOf = async (file: string): Promise<unknown[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  // A process that is killed while it writes leaves half a line at the end.
  return text.split('\n').flatMap((line): unknown[] => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
};

export async function readHistory(home: string, scenarioFile: string): Promise<AgentHistory> {
  const projects = path.join(home, '.claude/projects');
  const files = (await readdir(projects, { recursive: true }).catch(() => [])).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const promptsBySession = new Map<string, string[]>();
  for (const file of files) {
    const lines = (await linesOf(path.join(projects, file))) as { type: string; prompt?: string }[];
    const id = path.basename(file, '.jsonl');
    const prompts = lines.filter((line) => line.type === 'user').map((line) => line.prompt ?? '');
    promptsBySession.set(id, [...(promptsBySession.get(id) ?? []), ...prompts]);
  }
  return { promptsBySession, log: (await linesOf(`${scenarioFile}.log`)) as ScriptedLogEntry[] };
}

export const sessionOfLaunch = (entry: ScriptedLogEntry & { event: 'launch' }): string | null => {
  const at = entry.argv.findIndex((word) => word === '--session-id' || word === '--resume');
  return at === -1 ? null : (entry.argv[at + 1] ?? null);
};

/**
 * Sessions of which two processes were alive at once. Within the life of one hub every process ends by itself and
 * logs it. One that the hub's death cut logs nothing: if it does after all, once its session was launched again, then
 * it lived on beside the new one (its turn takes less than a second).
 *
 * @param lives the log, cut where a hub was killed
 */
export function overlappingLaunches(lives: readonly (readonly ScriptedLogEntry[])[]): string[] {
  const overlapping: string[] = [];
  /** Processes of earlier lives that logged no end, with their session and whether that was launched again. */
  const cut = new Map<number, { readonly session: string; isReplaced: boolean }>();
  for (const entries of lives) {
    const running = new Map<number, string>();
    for (const entry of entries) {
      if (entry.event === 'end') {
        running.delete(entry.pid);
        const orphan = cut.get(entry.pid);
        if (orphan?.isReplaced === true) overlapping.push(orphan.session);
        cut.delete(entry.pid);
      }
      if (entry.event !== 'launch') continue;
      const session = sessionOfLaunch(entry);
      if (session === null) continue;
      if ([...running.values()].includes(session)) overlapping.push(session);
      running.set(entry.pid, session);
      cut.delete(entry.pid);
      for (const orphan of cut.values()) if (orphan.session === session) orphan.isReplaced = true;
    }
    for (const [pid, session] of running) cut.set(pid, { session, isReplaced: false });
  }
  return overlapping;
}
