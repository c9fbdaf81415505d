import { expect, test } from 'vitest';
import { withFallback } from '../../../../src-main/adapters/notifier/with-fallback.ts';
import type { Notice, NoticeAct } from '../../../../src-main/core/ports/notifier.ts';
import { FakeNotifier } from '../../../support/fake-notifier.ts';

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOTICE: Notice = {
  key: 'k',
  title: 'T',
  body: 'B',
  urgency: 'normal',
  isSilent: false,
  buttons: [{ id: 'open', label: 'Open' }],
  reply: { placeholder: 'Reply' },
};

function pair() {
  const [best, plain] = [new FakeNotifier(), new FakeNotifier()];
  plain.can = { click: false, buttons: false, reply: false, withdraw: false };
  return { best, plain, both: withFallback([best, plain], LOG) };
}

test('the best backend that works shows it, whole', async () => {
  const { best, plain, both } = pair();
  await both.show(NOTICE);
  expect([best.shown, plain.shown]).toEqual([[NOTICE], []]);
});

test('a failure goes to the next, with what that one can show, and from then on its abilities are told', async () => {
  const { best, plain, both } = pair();
  best.broken = 'not signed';
  await both.show(NOTICE);
  expect([plain.shown, await both.abilities()]).toEqual([
    [{ ...NOTICE, buttons: [], reply: null }],
    plain.can,
  ]);
});

test('when all fail the first reason is told', async () => {
  const { best, plain, both } = pair();
  best.broken = 'not signed';
  plain.broken = 'not installed';
  await expect(both.show(NOTICE)).rejects.toThrow('not signed');
});

test('it is taken back where it was shown, and acts come from everywhere', async () => {
  const { best, plain, both } = pair();
  const acts: NoticeAct[] = [];
  both.onAct((act) => acts.push(act));
  best.broken = 'not signed';
  await both.show(NOTICE);
  await both.withdraw('k');
  await both.withdraw('unknown');
  best.act({ kind: 'click', key: 'a' });
  plain.act({ kind: 'click', key: 'b' });
  both.dispose();
  expect([best.withdrawn, plain.withdrawn, acts.length, best.isDisposed && plain.isDisposed]).toEqual([
    [],
    ['k'],
    2,
    true,
  ]);
});
