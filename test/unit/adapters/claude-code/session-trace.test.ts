import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { traceSession } from '../../../../src-main/adapters/claude-code/session-trace.ts';
import { transcriptFolder } from '../../../../src-main/core/harness/claude-code/transcript-path.ts';
import type { DeliveryId, SessionId } from '../../../../src-shared/ids.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const SESSION = '0a0a0a0a-0000-4000-8000-000000000001' as SessionId;
const DELIVERY = '11111111-1111-4111-8111-111111111111' as DeliveryId;

function place() {
  const folder = makeTempFolder('trace');
  onTestFinished(() => folder.dispose());
  const cwd = folder.join('trees/prj.1/tsk_1');
  mkdirSync(cwd, { recursive: true });
  const config = folder.join('.claude');
  const put = (name: string, text: string): string => {
    const file = path.join(config, 'projects', name, `${SESSION}.jsonl`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const trace = (from = cwd) =>
    traceSession({ configFolder: config, sessionId: SESSION, cwd: from, delivery: DELIVERY });
  return { folder, cwd, config, put, trace };
}

test('no configuration folder and no file of the session both mean that there is no session', async () => {
  const { config, trace } = place();
  const before = await trace();
  mkdirSync(path.join(config, 'projects', 'other'), { recursive: true });
  expect([before, await trace()]).toEqual(['no-session', 'no-session']);
});

test('the delivery id is looked for as plain text, also across two reads of a large file', async () => {
  const { cwd, put, trace } = place();
  const { name } = transcriptFolder(cwd);
  put(name, '{"type":"user"}\n');
  const without = await trace();
  const found = [];
  for (const before of [0, 1024 * 1024 - 10, 1024 * 1024, 3_000_000]) {
    put(name, `${'x'.repeat(before)}${DELIVERY}${'y'.repeat(100)}`);
    found.push(await trace());
  }
  put(name, `${'x'.repeat(1024 * 1024 - 10)}${DELIVERY.slice(0, 20)} ${DELIVERY.slice(20)}`);
  expect([without, found, await trace()]).toEqual([
    'absent',
    ['present', 'present', 'present', 'present'],
    'absent',
  ]);
});

test('the folder is found behind a link, for a long path by its beginning, and a session begun elsewhere too', async () => {
  const { folder, cwd, put, trace } = place();
  put(transcriptFolder(cwd).name, DELIVERY);
  symlinkSync(folder.join('trees'), folder.join('link'));
  const linked = await trace(folder.join('link/prj.1/tsk_1'));

  const other = place();
  const long = other.folder.join('a'.repeat(150), 'b'.repeat(150));
  mkdirSync(long, { recursive: true });
  other.put(`${transcriptFolder(long).name}-9f3kd`, DELIVERY);
  const elsewhere = await other.trace('/somewhere/else');
  expect([linked, await other.trace(long), elsewhere]).toEqual(['present', 'present', 'present']);
});

test('a file that cannot be read is unreadable, never absent', async () => {
  const { cwd, put, trace } = place();
  const file = put(transcriptFolder(cwd).name, DELIVERY);
  // Root reads everything, so a folder in the file's place stands for what cannot be read.
  if (process.getuid?.() === 0) {
    const { cwd: cwd2, config, trace: trace2 } = place();
    mkdirSync(path.join(config, 'projects', transcriptFolder(cwd2).name, `${SESSION}.jsonl`), {
      recursive: true,
    });
    expect(await trace2()).toBe('unreadable');
    return;
  }
  chmodSync(file, 0);
  expect(await trace()).toBe('unreadable');
});
