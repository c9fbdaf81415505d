import { expect, test } from 'vitest';
import type { Place } from '../../../../src-main/hosts/electron/deep-links.ts';
import { createStarts } from '../../../../src-main/hosts/electron/starts.ts';

test('what was asked for before anything can be shown waits, and comes in order', () => {
  const starts = createStarts(['signalbox://item/1'], 'linux');
  starts.link('signalbox://task/2');
  starts.second({ args: ['signalbox://board'] });
  const shown: (Place | null)[] = [];
  starts.deliverTo((place) => shown.push(place));
  starts.second({ args: ['--hidden'] });
  expect([shown, starts.isHidden]).toEqual([
    [{ kind: 'item', number: 1 }, { kind: 'task', number: 2 }, { kind: 'page', page: 'board' }, null],
    false,
  ]);
});

test.each([null, 'x', { args: 'x' }, { args: [1] }, { args: Array(1000).fill('x') }])(
  'another start that sends %j only brings the window up',
  (data) => {
    const starts = createStarts(['--hidden'], 'linux');
    const shown: (Place | null)[] = [];
    starts.deliverTo((place) => shown.push(place));
    starts.second(data);
    starts.link('signalbox://kill');
    expect([shown, starts.isHidden]).toEqual([[null], true]);
  },
);
