import { expect, test } from 'vitest';
import { planNotices, type StandingNotice } from '../../../../src-main/core/notify/plan-notices.ts';

const subject = (number: number, project: string | null = 'a') =>
  ({ number, kind: 'question', project }) as const;
const single = (number: number, project = 'a'): StandingNotice => ({
  key: `k${number}`,
  project,
  isBundle: false,
  subjects: [subject(number, project)],
});

test('a few of a project stand by themselves', () => {
  const fresh = [subject(1), subject(2)];
  expect(planNotices(fresh, [single(3)])).toEqual({ withdraw: [], singles: fresh, bundles: [] });
});

test('one too many, and one bundle takes the place of all', () => {
  const plan = planNotices([subject(4)], [single(1), single(2), single(3), single(9, 'b')]);
  expect(plan).toEqual({
    withdraw: ['k1', 'k2', 'k3'],
    singles: [],
    bundles: [{ project: 'a', subjects: [subject(1), subject(2), subject(3), subject(4)] }],
  });
});

test('a bundle grows, also when little of it is left', () => {
  const bundle: StandingNotice = { key: 'b', project: 'a', isBundle: true, subjects: [subject(1)] };
  expect(planNotices([subject(2)], [bundle])).toEqual({
    withdraw: ['b'],
    singles: [],
    bundles: [{ project: 'a', subjects: [subject(1), subject(2)] }],
  });
});

test('projects do not mix, items of the whole hub are their own group', () => {
  const fresh = [subject(1, 'a'), subject(2, 'b'), subject(3, null), subject(4, 'a'), subject(5, 'b')];
  expect(planNotices(fresh, [])).toMatchObject({ bundles: [], withdraw: [] });
});
