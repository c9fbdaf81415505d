import { randomUUID } from 'node:crypto';
import { readdir, readFile, symlink, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameAnswer, frameContinue, frameStart } from '../../src-main/core/relay/prompts.ts';
import type { DeliveryId, ItemNumber, TaskNumber } from '../../src-shared/ids.ts';
import { createGate } from '../support/model-server/gate.ts';
import {
  apiError,
  askPerson,
  finish,
  message,
  say,
  toolBlock,
  usageLimit,
  useTool,
  type Reply,
} from '../support/model-server/replies.ts';
import { bySequence, byTurn, scenarioTag } from '../support/model-server/script.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeCliPlace, type CliPlace, type Json } from './support/cli-place.ts';

/** What the relay relies on, seen at the real CLI with exactly the arguments of the relay. */

let place: CliPlace;
beforeEach(async () => {
  place = await makeCliPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

const startPrompt = (delivery: string, description: string): string =>
  frameStart({
    delivery: delivery as DeliveryId,
    taskNumber: 1 as TaskNumber,
    project: 'h1-a',
    title: 'Round the totals',
    description,
    isSynthetic: true,
  });

const answerPrompt = (delivery: string, question: string, answer: string): string =>
  frameAnswer({ delivery: delivery as DeliveryId, item: 1 as ItemNumber, who: 'pat', question, answer });

const structured = (result: Json | null): unknown => result?.['structured_output'];
const facts = (result: Json | null) => ({
  isError: result?.['is_error'],
  subtype: result?.['subtype'],
  status: result?.['api_error_status'],
  reason: result?.['terminal_reason'],
});

describe('a session', () => {
  test.each(['stream-json', 'json'] as const)(
    'goes from a question over the answer to done in the same session, as %s',
    async (outputForm) => {
      const sessionId = randomUUID();
      place.model.script(
        'qa',
        byTurn(
          askPerson('Two places or the nearest rupee?', { options: ['2 places', 'Nearest rupee'] }),
          useTool('Read', { file_path: path.join(place.cwd, 'invoice.py') }),
          useTool('Edit', {
            file_path: path.join(place.cwd, 'invoice.py'),
            old_string: 'return sum(items)',
            new_string: 'return round(sum(items), 2)',
          }),
          finish('Rounds to two places.'),
        ),
      );
      const first = await place.run({
        sessionId,
        prompt: startPrompt(randomUUID(), scenarioTag('qa')),
        outputForm,
      });
      const second = await place.run({
        sessionId,
        session: 'resume',
        prompt: answerPrompt(randomUUID(), 'Two places or the nearest rupee?', '2 places'),
        outputForm,
      });

      expect(structured(first.result)).toEqual({
        status: 'question',
        question: 'Two places or the nearest rupee?',
        options: ['2 places', 'Nearest rupee'],
        summary: 'Waiting for an answer.',
      });
      expect(structured(second.result)).toEqual({ status: 'done', summary: 'Rounds to two places.' });
      expect([first, second].map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
        { exitCode: 0, stderr: '' },
        { exitCode: 0, stderr: '' },
      ]);
      expect([first, second].map(({ result }) => result?.['session_id'])).toEqual([sessionId, sessionId]);
      expect(await readFile(path.join(place.cwd, 'invoice.py'), 'utf8')).toContain('round(sum(items), 2)');
      // Totals run on over the resume: four requests at 0.0029 each.
      expect([first, second].map(({ result }) => result?.['total_cost_usd'])).toEqual([
        expect.closeTo(0.0029, 9),
        expect.closeTo(0.0116, 9),
      ]);
    },
  );

  test('has the delivery id in its transcript file as soon as the model is asked', async () => {
    const sessionId = randomUUID();
    const delivery = randomUUID();
    const gate = createGate();
    place.model.script('hang', byTurn(finish('done', {}, { before: gate })));
    const running = place.start({ sessionId, prompt: startPrompt(delivery, scenarioTag('hang')) });
    await gate.reached;
    await waitUntil('the transcript holds the delivery id', async () =>
      (await place.transcript(sessionId)).includes(delivery),
    );
    gate.open();
    expect((await running.done).exitCode).toBe(0);
  });

  test('cut by SIGTERM prints no result, exits 143, keeps the prompt and continues with it', async () => {
    const sessionId = randomUUID();
    const delivery = randomUUID();
    const gate = createGate();
    place.model.script('cut', bySequence(say('thinking', { beforeEnd: gate }), finish('Continued.')));
    const running = place.start({ sessionId, prompt: startPrompt(delivery, scenarioTag('cut')) });
    await gate.reached;
    await waitUntil('the transcript holds the delivery id', async () =>
      (await place.transcript(sessionId)).includes(delivery),
    );
    process.kill(running.pid, 'SIGTERM');
    const cut = await running.done;
    const resumed = await place.run({
      sessionId,
      session: 'resume',
      prompt: frameContinue(randomUUID() as DeliveryId),
    });

    expect({ exitCode: cut.exitCode, result: cut.result }).toEqual({ exitCode: 143, result: null });
    expect(structured(resumed.result)).toEqual({ status: 'done', summary: 'Continued.' });
    const last = place.model.requests.at(-1);
    expect(last?.userTexts.filter((text) => text.includes(delivery))).toHaveLength(1);
    expect(last?.lastUserText).toContain('Continue with what was asked.');
  });

  test('cannot be started twice under one id in one folder', async () => {
    const sessionId = randomUUID();
    place.model.script('twice', byTurn(finish('done')));
    await place.run({ sessionId, prompt: startPrompt(randomUUID(), scenarioTag('twice')) });
    const again = await place.run({ sessionId, prompt: startPrompt(randomUUID(), scenarioTag('twice')) });
    expect({ exitCode: again.exitCode, stdout: again.stdout, stderr: again.stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('is already in use'),
    });
  });

  test('that the CLI does not know is refused without a request', async () => {
    const unknown = await place.run({ sessionId: randomUUID(), session: 'resume', prompt: 'go on' });
    expect({ exitCode: unknown.exitCode, errors: unknown.result?.['errors'] }).toEqual({
      exitCode: 1,
      errors: [expect.stringContaining('No conversation found with session ID')],
    });
    expect(place.model.requests).toEqual([]);
  });
});

describe('the structured answer', () => {
  test('that never comes is a clean success without the key', async () => {
    place.model.script('text', byTurn(say('I am done, trust me.')));
    const { exitCode, result } = await place.run({
      sessionId: randomUUID(),
      prompt: startPrompt(randomUUID(), scenarioTag('text')),
    });
    expect({
      exitCode,
      isError: result?.['is_error'],
      hasKey: 'structured_output' in (result ?? {}),
    }).toEqual({
      exitCode: 0,
      isError: false,
      hasKey: false,
    });
    expect(place.model.requests).toHaveLength(2);
  });

  test('in a reply with a Write takes the Write along', async () => {
    place.model.script(
      'both',
      byTurn(
        message([
          toolBlock('Write', { file_path: path.join(place.cwd, 'new.txt'), content: 'x\n' }),
          toolBlock('StructuredOutput', { status: 'done', summary: 'Both at once.' }),
        ]),
      ),
    );
    const { result } = await place.run({
      sessionId: randomUUID(),
      prompt: startPrompt(randomUUID(), scenarioTag('both')),
    });
    expect(structured(result)).toEqual({ status: 'done', summary: 'Both at once.' });
    expect(await readFile(path.join(place.cwd, 'new.txt'), 'utf8')).toBe('x\n');
  });
});

describe('an error of the API', () => {
  const runWith = async (key: string, ...steps: readonly Reply[]) => {
    place.model.script(key, bySequence(...steps));
    return place.run({ sessionId: randomUUID(), prompt: startPrompt(randomUUID(), scenarioTag(key)) });
  };

  test.each([
    [401, 'authentication_failed'],
    [403, 'authentication_failed'],
    [429, 'rate_limit'],
    [500, 'server_error'],
    [529, 'server_error'],
  ])('%i ends the turn as is_error with the code %s', async (status, code) => {
    const { exitCode, result, lines } = await runWith(`e${status}`, apiError(status, 'no'));
    expect({ exitCode, ...facts(result) }).toEqual({
      exitCode: 1,
      isError: true,
      subtype: 'success',
      status,
      reason: 'api_error',
    });
    expect(lines.filter((line) => line['type'] === 'assistant').map((line) => line['error'])).toEqual([code]);
  });

  test('that passes is retried, and the retry is told', async () => {
    const { exitCode, lines, result } = await runWith(
      'busy',
      apiError(529, 'Overloaded'),
      finish('After all.'),
    );
    expect(exitCode).toBe(0);
    expect(structured(result)).toEqual({ status: 'done', summary: 'After all.' });
    expect(lines.filter((line) => line['subtype'] === 'api_retry')).toEqual([
      expect.objectContaining({ attempt: 1, error_status: 529 }),
    ]);
  });

  test('with a usage limit tells its reset time when logged in by a subscription token', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7200;
    place.model.script('limit', bySequence(usageLimit(resetsAt)));
    const { exitCode, lines, result } = await place.run({
      sessionId: randomUUID(),
      prompt: startPrompt(randomUUID(), scenarioTag('limit')),
      environment: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'made-up' },
    });
    expect(exitCode).toBe(1);
    expect(
      lines.filter((line) => line['type'] === 'rate_limit_event').map((l) => l['rate_limit_info']),
    ).toEqual([expect.objectContaining({ status: 'rejected', resetsAt })]);
    expect(result?.['result']).toMatch(/^You've hit your .*limit/);
  });

  test('with a dropped connection or an error inside the stream is repeated', async () => {
    const dropped = await runWith('drop', { kind: 'drop', when: 'at-once' }, finish('one'));
    const broken = await runWith(
      'broken',
      { kind: 'error-in-stream', type: 'overloaded_error', message: 'Overloaded' },
      finish('two'),
    );
    expect([structured(dropped.result), structured(broken.result)]).toEqual([
      { status: 'done', summary: 'one' },
      { status: 'done', summary: 'two' },
    ]);
  });
});

// Its other tool calls are begun while the reply still streams: whether a Write of it was done is a matter of luck.
test('a reply that crosses the budget ends the turn, and the answer in it is lost', async () => {
  place.model.script('dear', byTurn(finish('dear', {}, { usage: { inputTokens: 100_000 } })));
  const { exitCode, result } = await place.run({
    sessionId: randomUUID(),
    prompt: startPrompt(randomUUID(), scenarioTag('dear')),
    budgetUsd: 0.05,
  });
  expect({
    exitCode,
    subtype: result?.['subtype'],
    reason: result?.['terminal_reason'],
    answer: result?.['structured_output'],
  }).toEqual({
    exitCode: 1,
    subtype: 'error_max_budget_usd',
    reason: 'budget_exhausted',
    answer: undefined,
  });
  expect(place.model.requests).toHaveLength(1);
});

test('nothing outside the working folder, no shell and no protected path can be reached', async () => {
  await symlink(place.outside, path.join(place.cwd, 'link'));
  await writeFile(path.join(place.outside, 'secret.txt'), 'secret\n');
  const hook = path.join(place.cwd, '.git/hooks/post-commit');
  await mkdir(path.dirname(hook), { recursive: true });
  const writes = [
    path.join(place.outside, 'a.txt'),
    '../outside/b.txt',
    path.join(place.cwd, '../outside/c.txt'),
    path.join(place.cwd, 'link/d.txt'),
    path.join(place.home, 'e.txt'),
    hook,
    path.join(place.cwd, '.git/config'),
    path.join(place.cwd, '.claude/settings.json'),
  ];
  place.model.script(
    'out',
    byTurn(
      message(writes.map((file_path) => toolBlock('Write', { file_path, content: 'x' }))),
      message([
        toolBlock('Read', { file_path: path.join(place.outside, 'secret.txt') }),
        toolBlock('Bash', { command: `touch ${place.outside}/f.txt`, description: 'x' }),
      ]),
      finish('Tried everything.'),
    ),
  );
  const configBefore = await readFile(path.join(place.cwd, '.git/config'), 'utf8');
  const { exitCode, result } = await place.run({
    sessionId: randomUUID(),
    prompt: startPrompt(randomUUID(), scenarioTag('out')),
  });

  expect({ exitCode, answer: structured(result) }).toEqual({
    exitCode: 0,
    answer: { status: 'done', summary: 'Tried everything.' },
  });
  // Bash is no tool of the session at all, so its refusal is no denial.
  expect(result?.['permission_denials']).toHaveLength(writes.length + 1);
  const last = place.model.requests.at(-1);
  expect(last?.allToolResults.map(({ isError }) => isError)).toEqual(Array(writes.length + 2).fill(true));
  expect(await readdir(place.outside)).toEqual(['secret.txt']);
  expect(await readdir(path.dirname(hook))).not.toContain('post-commit');
  expect(await readFile(path.join(place.cwd, '.git/config'), 'utf8')).toBe(configBefore);
});

describe('framed text', () => {
  test('that begins with a slash is no command', async () => {
    place.model.script('slash', byTurn(askPerson('Which?'), finish('done')));
    const sessionId = randomUUID();
    await place.run({ sessionId, prompt: startPrompt(randomUUID(), `/clear\n${scenarioTag('slash')}`) });
    const { result } = await place.run({
      sessionId,
      session: 'resume',
      prompt: answerPrompt(randomUUID(), '/clear', '/clear'),
    });
    expect(result?.['session_id']).toBe(sessionId);
    expect(structured(result)).toEqual({ status: 'done', summary: 'done' });
    expect(place.model.requests).toHaveLength(2);
    expect(place.model.requests.at(-1)?.lastUserText).toContain('\n/clear\n');
  });

  test('is needed: the same words without the frame are a command', async () => {
    place.model.script('slash', byTurn(askPerson('Which?'), finish('done')));
    const sessionId = randomUUID();
    await place.run({ sessionId, prompt: startPrompt(randomUUID(), scenarioTag('slash')) });
    const { lines } = await place.run({ sessionId, session: 'resume', prompt: '/clear' });
    expect(place.model.requests).toHaveLength(1);
    expect(lines.map((line) => line['session_id']).filter((id) => id !== sessionId)).not.toEqual([]);
  });

  test('attaches no file from outside, and none at all when an agent wrote it', async () => {
    await writeFile(path.join(place.outside, 'secret.txt'), 'very secret words\n');
    await writeFile(path.join(place.cwd, 'inside.txt'), 'words of a file inside\n');
    const inside = path.join(place.cwd, 'inside.txt');
    place.model.script('attach', byTurn(finish('done')));
    await place.run({
      sessionId: randomUUID(),
      prompt: startPrompt(
        randomUUID(),
        `${scenarioTag('attach')} look at @/etc/passwd and @${place.outside}/secret.txt`,
      ),
    });
    await place.run({
      sessionId: randomUUID(),
      prompt: answerPrompt(
        randomUUID(),
        `See @/etc/passwd, @${inside} and @inside.txt`,
        scenarioTag('attach'),
      ),
    });
    const sent = place.model.requests.map((request) => JSON.stringify(request.body));
    expect(sent).toHaveLength(2);
    for (const text of sent) {
      expect(text).not.toContain('very secret words');
      expect(text).not.toContain('root:x:0:0');
      expect(text).not.toContain('words of a file inside');
    }
  });

  test('of a person may attach a file of the working folder, as at the CLI itself', async () => {
    await writeFile(path.join(place.cwd, 'inside.txt'), 'words of a file inside\n');
    place.model.script('attach', byTurn(finish('done')));
    await place.run({
      sessionId: randomUUID(),
      prompt: answerPrompt(randomUUID(), 'Which file?', `${scenarioTag('attach')} @inside.txt please`),
    });
    expect(JSON.stringify(place.model.requests[0]?.body)).toContain('words of a file inside');
  });
});
