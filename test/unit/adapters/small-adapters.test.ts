import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDiskSpace } from '../../../src-main/adapters/disk-space.ts';
import { locateDataFolder, openDataFolder } from '../../../src-main/adapters/data-folder.ts';
import { createRandomIds } from '../../../src-main/adapters/random-ids.ts';
import { sha256 } from '../../../src-main/adapters/sha256.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { epochMs, millis } from '../../../src-shared/time.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { modeOf } from '../../support/modes.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

function inZone<T>(zone: string, run: () => T): T {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}
const at = (iso: string): ReturnType<typeof epochMs> => epochMs(Date.parse(iso));

test.each([
  [
    'a day of 23 hours',
    'Europe/Berlin',
    '2026-03-29T00:30:00+01:00',
    '2026-03-30T00:00:00+02:00',
    '2026-03-29',
  ],
  [
    'a day of 25 hours',
    'Europe/Berlin',
    '2026-10-25T00:30:00+02:00',
    '2026-10-26T00:00:00+01:00',
    '2026-10-25',
  ],
  ['midnight itself', 'Asia/Kolkata', '2026-05-01T00:00:00+05:30', '2026-05-02T00:00:00+05:30', '2026-05-01'],
  [
    'the last moment of a year',
    'Asia/Kolkata',
    '2026-12-31T23:59:59.999+05:30',
    '2027-01-01T00:00:00+05:30',
    '2026-12-31',
  ],
])('the next midnight is found by calendar: %s', (_, zone, now, midnight, day) => {
  inZone(zone, () => {
    expect(systemClock.nextMidnight(at(now))).toBe(at(midnight));
    expect(systemClock.localDay(at(now))).toBe(day);
  });
});

test('a month begins at its first local midnight', () => {
  inZone('Europe/Berlin', () => {
    expect(systemClock.startOfMonth(at('2026-03-31T23:30:00+02:00'))).toBe(at('2026-03-01T00:00:00+01:00'));
    expect(systemClock.startOfMonth(at('2026-03-31T22:30:00Z'))).toBe(at('2026-04-01T00:00:00+02:00'));
  });
});

test('a timer fires once unless it is disposed, and one of a month does not fire at once', async () => {
  const fired: string[] = [];
  systemClock.after(millis(40 * 24 * 3600 * 1000), () => fired.push('month')).dispose();
  const far = systemClock.after(millis(40 * 24 * 3600 * 1000), () => fired.push('month'));
  const gone = systemClock.after(millis(1), () => fired.push('disposed'));
  gone.dispose();
  gone.dispose();
  await new Promise<void>((resolve) => {
    systemClock.after(millis(15), () => {
      fired.push('once');
      resolve();
    });
  });
  far.dispose();
  expect(fired).toEqual(['once']);
});

test('a period repeats until it is disposed, and has to be one', async () => {
  let count = 0;
  await new Promise<void>((resolve) => {
    const timer = systemClock.every(millis(1), () => {
      count += 1;
      if (count < 3) return;
      timer.dispose();
      resolve();
    });
    // An unref'd timer alone would let this process end.
    systemClock.after(millis(1_000), resolve);
  });
  expect(count).toBe(3);
  expect(() => systemClock.every(millis(0), () => undefined)).toThrow(RangeError);
});

test('ids sort in the order in which they were made, also when the clock goes back', () => {
  const clock = new FakeClock();
  const ids = createRandomIds(clock);
  const made: string[] = [];
  for (let index = 0; index < 200; index += 1) {
    if (index === 50) clock.set(clock.now() - 60_000);
    if (index === 150) clock.advance(70_000);
    made.push(ids.next('task'));
  }
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(200);
  for (const id of made) expect(id).toMatch(/^tsk_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(ids.next('hub')).toMatch(/^hub_/);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.sessionId()).toMatch(uuid);
  expect(ids.deliveryId()).toMatch(uuid);
});

test('a hash is SHA-256 of the UTF-8 text', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});

test('free room is known for a folder that is there, and unknown otherwise', () => {
  using folder = makeTempFolder();
  expect(createDiskSpace(folder.path).freeBytes()).toBeGreaterThan(0);
  expect(createDiskSpace(folder.join('none')).freeBytes()).toBe(null);
});

test('SIGNALBOX_HOME is the place of everything, and has to be absolute', () => {
  expect(locateDataFolder({ SIGNALBOX_HOME: '/srv/signalbox/' })).toEqual({
    data: '/srv/signalbox/',
    config: '/srv/signalbox/',
  });
  expect(() => locateDataFolder({ SIGNALBOX_HOME: 'here' })).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
});

test('folders are made for this user only, and an open one is closed', () => {
  using folder = makeTempFolder();
  const open = folder.join('open');
  mkdirSync(open, { mode: 0o755 });
  const made = { data: folder.join('a/b'), config: open };
  expect(openDataFolder(made)).toEqual(made);
  expect([modeOf(folder.join('a/b')), modeOf(open)]).toEqual([0o700, 0o700]);
});

test.each([
  ['a file', (place: string) => writeFileSync(place, '')],
  ['a circle of links', (place: string) => symlinkSync(place, place)],
])('%s in place of the data folder is said to be unusable', (_, make) => {
  using folder = makeTempFolder();
  const place = folder.join('data');
  make(place);
  for (const data of [place, `${place}/deeper`]) {
    expect(() => openDataFolder({ data, config: data })).toThrow(
      expect.objectContaining({ code: 'data-folder-unusable' }),
    );
  }
});

test('a place where nobody may make a folder is said to be unusable', () => {
  const data = '/proc/signalbox';
  expect(() => openDataFolder({ data, config: data })).toThrow(
    expect.objectContaining({
      code: 'data-folder-unusable',
      hint: expect.stringContaining('SIGNALBOX_HOME'),
    }),
  );
});

test('a folder that everybody may write to is refused and left as it is', () => {
  using folder = makeTempFolder();
  const shared = folder.join('shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  expect(() => openDataFolder({ data: shared, config: shared })).toThrow(
    expect.objectContaining({ code: 'data-folder-unusable' }),
  );
  expect(modeOf(shared)).toBe(0o777);
});
