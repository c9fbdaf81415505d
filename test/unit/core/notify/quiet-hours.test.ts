import { expect, test } from 'vitest';
import { quietUntil } from '../../../../src-main/core/notify/quiet-hours.ts';
import { epochMs } from '../../../../src-shared/time.ts';

/** In whatever zone the test runs. */
const at = (day: number, hour: number, minute = 0) => epochMs(new Date(2026, 5, day, hour, minute).getTime());
const night = { from: '22:00', to: '07:30' };
const noon = { from: '12:00', to: '13:00' };

test.each([
  ['before the evening', night, at(10, 21, 59), null],
  ['in the evening they last until the morning', night, at(10, 22), at(11, 7, 30)],
  ['after midnight they last until this morning', night, at(11, 3), at(11, 7, 30)],
  ['at their end', night, at(11, 7, 30), null],
  ['within one day', noon, at(10, 12, 59), at(10, 13)],
  ['outside of it', noon, at(10, 13), null],
  ['on the last day of a month', night, at(30, 23), epochMs(new Date(2026, 6, 1, 7, 30).getTime())],
  ['without any', null, at(10, 23), null],
  ['with equal ends', { from: '08:00', to: '08:00' }, at(10, 8), null],
  ['with what is no time', { from: '25:00', to: '07:00' }, at(10, 1), null],
] as const)('%s', (_when, hours, now, until) => {
  expect(quietUntil(hours, now)).toBe(until);
});
