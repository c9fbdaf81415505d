import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RelayReportView } from '../../src-shared/api/report.ts';
import type { ChainView } from '../../src-shared/api/ledger.ts';
import type { DiffView, TranscriptEntryView } from '../../src-shared/api/task.ts';
import { askPerson, finish } from '../support/model-server/replies.ts';
import { byTurn, scenarioTag } from '../support/model-server/script.ts';
import { editInvoice, makeRelayPlace, ROUND_TOTAL, type RelayPlace } from './support/relay-place.ts';

let place: RelayPlace;
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

const QUESTION = 'Round to 2 places or to the nearest rupee?';

test('a task goes from its question over the answer, in one session, to tested, approved and merged work', async () => {
  const { world, model } = place;
  model.script(
    'round',
    byTurn(
      askPerson(QUESTION, { options: ['2 places', 'Nearest rupee'], summary: 'The rule is unclear.' }),
      ...ROUND_TOTAL,
      finish('Rounds the total to two places.'),
    ),
  );
  const repository = await world.addProject('h1-a');
  const before = await repository.git('rev-parse', 'main');
  const task = await world.addTask('h1-a', 'Round the totals', `Round, ask how. ${scenarioTag('round')}`);
  await world.startHub();

  const question = await world.untilItem('specify', task);
  const waiting = await world.task(task);
  expect({ ...question }).toMatchObject({
    kind: 'specify',
    state: 'open',
    project: 'h1-a',
    taskNumber: task,
    raisedBy: 'claude',
    question: QUESTION,
    options: ['2 places', 'Nearest rupee'],
    summary: 'The rule is unclear.',
    cycle: 1,
    durable: true,
    delivery: 'none',
  });
  expect(waiting).toMatchObject({ state: 'awaiting_human', questions: 1, countedAttempts: 0 });
  expect(waiting.sessionId).toBe(model.requests[0]?.sessionId);

  await world.json(['answer', String(question.number), '--option', '1']);
  const offer = await world.untilItem('approve', task);
  expect(offer).toMatchObject({ offer: { testOutcome: 'passed', changedFiles: 1 } });
  expect(await world.item(question.number)).toMatchObject({
    state: 'answered',
    answer: '2 places',
    delivery: 'seen',
    respondedVia: 'cli',
  });
  const { diff } = await world.json<DiffView>(['task', 'diff', String(task)]);
  expect(diff).toContain('+    return round(sum(items), 2)');

  // The model saw one conversation: the question of its own and the answer, framed and word for word.
  expect(new Set(model.requests.map((request) => request.sessionId)).size).toBe(1);
  const resumed = model.requests.at(-1);
  const replies = resumed?.userTexts.filter((text) => text.includes(`replied to item #${question.number}`));
  expect(replies).toHaveLength(1);
  expect(replies?.[0]).toContain(QUESTION);
  expect(replies?.[0]).toContain('\n2 places\n');

  expect(await repository.git('rev-parse', 'main')).toBe(before);
  await world.json(['approve', String(offer.number)]);
  const done = await world.untilTask(task, ['done']);
  expect(done).toMatchObject({ state: 'done', attempts: 1, countedAttempts: 0, questions: 1 });
  expect(done.costUsd).toBeCloseTo(4 * 0.0029, 6);
  expect(await repository.show('main', 'invoice.py')).toContain('round(sum(items), 2)');
  await world.until('the tree is gone', async () => {
    const trees = await repository.git('worktree', 'list', '--porcelain');
    return trees.split('\n').filter((line) => line.startsWith('worktree ')).length === 1;
  });

  const starts = (await world.ledger('--task', String(task), '--kind', 'harness.')).map(
    (entry) => entry.kind,
  );
  expect(starts).toEqual([
    'harness.start',
    'harness.result',
    'harness.question',
    'harness.resume',
    'harness.result',
  ]);
  expect(await world.json<ChainView>(['ledger', 'verify', '--full'])).toMatchObject({ ok: true });
  const report = await world.json<RelayReportView>(['report', 'relay']);
  expect(report.tasks).toEqual([
    expect.objectContaining({ project: 'h1-a', state: 'done', cycles: 1, touches: 2, lockWaitS: 0 }),
  ]);
  const transcript = await world.json<TranscriptEntryView[]>(['task', 'transcript', String(task)]);
  expect(transcript.map((entry) => entry.content).join('\n')).toContain('\n2 places\n');
});

test('rejecting a question cancels its task and removes its tree', async () => {
  const { world, model } = place;
  model.script('reject', byTurn(askPerson(QUESTION)));
  const repository = await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('reject'));
  await world.startHub();
  const question = await world.untilItem('specify', task);
  await world.json(['reject', String(question.number), '--reason', 'Not needed']);

  expect(await world.untilTask(task, ['cancelled'])).toMatchObject({ state: 'cancelled' });
  expect(await world.item(question.number)).toMatchObject({ state: 'rejected' });
  const late = await world.run(['answer', String(question.number), '--text', 'too late', '--json']);
  expect({ exitCode: late.exitCode, json: late.json }).toEqual({
    exitCode: 5,
    json: { error: expect.objectContaining({ code: 'item-closed' }) },
  });
  await world.until('the tree is gone', async () => {
    const trees = await repository.git('worktree', 'list', '--porcelain');
    return trees.split('\n').filter((line) => line.startsWith('worktree ')).length === 1;
  });
  expect(model.requests).toHaveLength(1);
});

test('rejecting finished work cancels its task and leaves the base branch alone', async () => {
  const { world, model } = place;
  model.script('no', byTurn(...ROUND_TOTAL, finish('Done.')));
  const repository = await world.addProject('h1-a');
  const before = await repository.git('rev-parse', 'main');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('no'));
  await world.startHub();
  const offer = await world.untilItem('approve', task);
  await world.json(['reject', String(offer.number)]);
  await world.untilTask(task, ['cancelled']);
  expect(await repository.git('rev-parse', 'main')).toBe(before);
});

test('work that is sent back goes on in the same session with the note', async () => {
  const { world, model } = place;
  model.script(
    'back',
    byTurn(
      ...ROUND_TOTAL,
      finish('Rounds to two places.'),
      ...editInvoice('return round(sum(items), 2)', 'return round(sum(items), 1)'),
      finish('Rounds to one place.'),
    ),
  );
  const repository = await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('back'));
  await world.startHub();
  const first = await world.untilItem('approve', task);
  await world.json(['send-back', String(first.number), '--note', 'One place, please.']);
  const second = await world.until('a second offer', async () =>
    (await world.inbox()).find((item) => item.kind === 'approve' && item.number !== first.number),
  );
  expect(second.commit).not.toBe(first.commit);
  expect(await world.item(first.number)).toMatchObject({ state: 'sent_back', delivery: 'seen' });
  const stale = await world.run(['approve', String(first.number), '--json']);
  expect({ exitCode: stale.exitCode, json: stale.json }).toEqual({
    exitCode: 5,
    json: { error: expect.objectContaining({ code: 'item-closed' }) },
  });
  await world.json(['approve', String(second.number)]);
  await world.untilTask(task, ['done']);

  expect(await repository.show('main', 'invoice.py')).toContain('round(sum(items), 1)');
  expect(new Set(model.requests.map((request) => request.sessionId)).size).toBe(1);
  const notes = model.requests.at(-1)?.userTexts.filter((text) => text.includes('\nOne place, please.\n'));
  expect(notes).toHaveLength(1);
});

test('one question too many parks the task with a review item, and more can be allowed', async () => {
  const { world, model } = place;
  const ask = (n: number) => askPerson(`Question ${n}?`);
  model.script('keen', byTurn(ask(1), ask(2), ask(3), ask(4), finish('Nothing to do.')));
  await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('keen'));
  await world.startHub();
  for (const n of [1, 2, 3]) {
    const item = await world.untilItem('specify', task);
    expect(item).toMatchObject({ question: `Question ${n}?`, cycle: n });
    await world.json(['answer', String(item.number), '-'], { input: `Answer ${n}` });
  }
  const review = await world.untilItem('review', task);
  expect(review).toMatchObject({ cause: 'too-many-questions', raisedBy: 'signalbox' });
  expect(review.actions.map((action) => action.name)).toEqual(
    expect.arrayContaining(['more-questions', 'cancel']),
  );
  expect(await world.task(task)).toMatchObject({ state: 'parked', questions: 3 });

  await world.json(['resolve', String(review.number), '--action', 'more-questions', '--value', '1']);
  const fourth = await world.untilItem('specify', task);
  expect(fourth).toMatchObject({ question: 'Question 4?', cycle: 4 });
  await world.json(['answer', String(fourth.number), '--text', 'Answer 4']);
  // A done that changed nothing is no failure.
  const offer = await world.untilItem('approve', task);
  expect(offer).toMatchObject({ commit: null, offer: { testOutcome: 'nothing-to-test' } });
  await world.json(['approve', String(offer.number)]);
  await world.untilTask(task, ['done']);
  const texts = model.requests.at(-1)?.userTexts.join('\n') ?? '';
  for (const n of [1, 2, 3, 4]) expect(texts.split(`\nAnswer ${n}\n`)).toHaveLength(2);
});

test('failing tests go back to the agent, which mends its work in the same session', async () => {
  const { world, model } = place;
  model.script(
    'mend',
    byTurn(
      ...editInvoice('return sum(items)', 'return sum(items) + 1'),
      finish('Sums.'),
      ...editInvoice('return sum(items) + 1', 'return float(sum(items))'),
      finish('Mended.'),
    ),
  );
  const repository = await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Sum', scenarioTag('mend'));
  await world.startHub();
  const offer = await world.untilItem('approve', task);
  expect(offer).toMatchObject({ offer: { testOutcome: 'passed' } });
  expect(await world.task(task)).toMatchObject({ countedAttempts: 1, questions: 0 });
  const told = model.requests.at(-1)?.userTexts.filter((text) => text.includes('The tests failed:'));
  expect(told).toHaveLength(1);
  expect(told?.[0]).toContain('AssertionError');
  await world.json(['approve', String(offer.number)]);
  await world.untilTask(task, ['done']);
  expect(await repository.show('main', 'invoice.py')).toContain('float(sum(items))');
});

test('tests that keep failing use up the attempts and park the task', async () => {
  const { world, model } = place;
  model.script(
    'never',
    byTurn(
      ...editInvoice('return sum(items)', 'return sum(items) + 1'),
      finish('one'),
      finish('two'),
      finish('three'),
    ),
  );
  await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Sum', scenarioTag('never'));
  await world.startHub();
  const review = await world.untilItem('review', task);
  expect(review).toMatchObject({ cause: 'attempts-used-up' });
  expect(await world.task(task)).toMatchObject({ state: 'parked', countedAttempts: 3 });
  await world.json(['resolve', String(review.number), '--action', 'cancel']);
  await world.untilTask(task, ['cancelled']);
});

test('an agent that never gives its structured answer has failed, whatever it says', async () => {
  const { world, model } = place;
  model.script('talk', () => ({
    kind: 'message',
    blocks: [{ type: 'text', text: 'All done!' }],
    usage: { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
  }));
  await world.addProject('h1-a', { flags: ['--max-attempts', '2'] });
  const task = await world.addTask('h1-a', 'Talk', scenarioTag('talk'));
  await world.startHub();
  const review = await world.untilItem('review', task);
  expect(review).toMatchObject({ cause: 'attempts-used-up' });
  const results = await world.ledger('--task', String(task), '--kind', 'harness.result');
  expect(results).toHaveLength(2);
});
