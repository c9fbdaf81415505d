import { createReadStream } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { transcriptFolder } from '../../core/harness/claude-code/transcript-path.ts';
import type { SessionTrace } from '../../core/ports/harness.ts';
import type { DeliveryId, SessionId } from '../../../src-shared/ids.ts';
import { isMissing } from './locate.ts';

export interface TraceRequest {
  /** `CLAUDE_CONFIG_DIR`, or `.claude` below the home folder. */
  readonly configFolder: string;
  readonly sessionId: SessionId;
  readonly cwd: string;
  readonly delivery: DeliveryId;
}

type FileTrace = 'missing' | 'absent' | 'present' | 'unreadable';

/** Looks for plain ASCII text in a file of any size; a match across two reads counts. */
async function searchFile(file: string, text: string): Promise<FileTrace> {
  const needle = Buffer.from(text, 'utf8');
  let carried = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(file, {
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      const window = Buffer.concat([carried, chunk]);
      if (window.includes(needle)) return 'present';
      carried = Buffer.from(window.subarray(Math.max(0, window.length - needle.length + 1)));
    }
    return 'absent';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
}

/** Folders below `projects`, the expected one first: a session may have been begun from another folder. */
async function candidateFolders(projects: string, cwd: string): Promise<readonly string[]> {
  const seen = await realpath(cwd).catch(() => cwd);
  const expected = [...new Set([seen, cwd])].map(transcriptFolder);
  const names = await readdir(projects);
  const isExpected = (name: string): boolean =>
    expected.some((folder) => (folder.isWhole ? name === folder.name : name.startsWith(folder.name)));
  return [...names.filter(isExpected), ...names.filter((name) => !isExpected(name))];
}

/**
 * Whether the session's history holds the prompt, by presence of its delivery id (12-engine). Reads the file as
 * bytes; its format is the CLI's own affair. Never throws.
 */
export async function traceSession(request: TraceRequest): Promise<SessionTrace> {
  const projects = path.join(request.configFolder, 'projects');
  let folders: readonly string[];
  try {
    folders = await candidateFolders(projects, request.cwd);
  } catch (error) {
    return isMissing(error) ? 'no-session' : 'unreadable';
  }
  let worst: SessionTrace = 'no-session';
  for (const folder of folders) {
    const found = await searchFile(
      path.join(projects, folder, `${request.sessionId}.jsonl`),
      request.delivery,
    );
    if (found === 'present') return 'present';
    if (found === 'unreadable') worst = 'unreadable';
    else if (found === 'absent' && worst === 'no-session') worst = 'absent';
  }
  return worst;
}
