import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createDarwinProcesses,
  markAfterCommand,
  parsePsLines,
  parsePsTime,
} from '../../../../src-main/adapters/process/darwin-processes.ts';
import {
  createLinuxProcesses,
  parseLinuxStat,
} from '../../../../src-main/adapters/process/linux-processes.ts';
import { markInEnvironment } from '../../../../src-main/adapters/process/process-rows.ts';
import {
  createWindowsProcesses,
  parseCimProcesses,
} from '../../../../src-main/adapters/process/windows-processes.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

/** From a Linux 6.1, with the name changed to the worst that prctl(PR_SET_NAME) takes. */
const STAT = (pid: number, name: string, state = 'S'): string =>
  `${pid} (${name}) ${state} 41 42 43 34816 42 4194304 155 20 0 0 7 3 2 1 20 0 1 0 8675309 2646016 203 18446744073709551615 1 1 0 0 0\n`;

test('a line of /proc/<pid>/stat is read from its last bracket', () => {
  const expected = {
    pid: 44,
    ppid: 41,
    pgid: 42,
    sid: 43,
    start: 'boot/8675309',
    startOrder: 8675309,
    isDead: false,
    cpuMs: 130,
  };
  expect(parseLinuxStat(STAT(44, 'sh'), 'boot')).toEqual(expected);
  expect(parseLinuxStat(STAT(44, ') Z 1 1 1 (\n'), 'boot')).toEqual(expected);
  expect(parseLinuxStat(STAT(44, 'sh', 'Z'), 'boot')).toEqual({ ...expected, isDead: true });
  expect(
    ['', '44', '44 (sh', '44 (sh) S 1 2', 'x (sh) S'].map((text) => parseLinuxStat(text, 'boot')),
  ).toEqual(Array(5).fill(null));
});

test('no name of a process changes what is read of it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 15 }), (name) => {
      expect(parseLinuxStat(STAT(44, name), 'boot')).toEqual(parseLinuxStat(STAT(44, 'sh'), 'boot'));
    }),
  );
});

test('the mark is the variable of exactly that name', () => {
  expect(markInEnvironment('A=1\0SIGNALBOX_OWNER=hub:a\0B=2\0')).toBe('hub:a');
  expect(markInEnvironment('SIGNALBOX_OWNER=hub:a')).toBe('hub:a');
  expect(markInEnvironment('X_SIGNALBOX_OWNER=hub:a\0')).toBe(null);
  expect(markInEnvironment('A=SIGNALBOX_OWNER=hub:a\0')).toBe(null);
  expect(markInEnvironment('SIGNALBOX_OWNER=\0')).toBe(null);
  expect(markInEnvironment('')).toBe(null);
});

test('Linux: processes and marks are read from /proc, and what is not to be read is no mark', async () => {
  using proc = makeTempFolder('proc');
  mkdirSync(proc.join('sys/kernel/random'), { recursive: true });
  writeFileSync(proc.join('sys/kernel/random/boot_id'), 'b-1\n');
  for (const [pid, environment] of [
    ['44', 'SIGNALBOX_OWNER=hub:a\0'],
    ['45', null],
  ] as const) {
    mkdirSync(proc.join(pid));
    writeFileSync(proc.join(pid, 'stat'), STAT(Number(pid), 'sh'));
    if (environment !== null) writeFileSync(proc.join(pid, 'environ'), environment);
  }
  mkdirSync(proc.join('46'));
  const source = createLinuxProcesses(proc.path);
  const { rows, markOf } = await source.snapshot();
  expect(rows.map((row) => [row.pid, row.start, markOf(row)])).toEqual([
    [44, 'b-1/8675309', 'hub:a'],
    [45, 'b-1/8675309', null],
  ]);
  expect(await source.row(46)).toBe(null);
  expect([source.orderOf('b-1/7'), source.orderOf('b-0/7')]).toEqual([7, null]);
});

const PS = `    1     0     1 Ss   Mon Jun  2 08:01:02 2025       0:12.34 /sbin/launchd
  501   500   501 S    Mon Jun  2 09:10:11 2025    1:02:03.50 /usr/local/bin/node server.js --name=a b
  502   501   501 Z    Mon Jun  2 09:10:12 2025       0:00.00 (sh)
garbage
`;
const PS_E = `    1     0     1 Ss   Mon Jun  2 08:01:02 2025       0:12.34 /sbin/launchd
  501   500   501 S    Mon Jun  2 09:10:11 2025    1:02:03.60 /usr/local/bin/node server.js --name=a b PATH=/bin SIGNALBOX_OWNER=hub:a HOME=/Users/x
  700   500   700 S    Mon Jun  2 09:10:11 2025       0:00.00 grep SIGNALBOX_OWNER=hub:a
`;

test('macOS: lines of ps are read, and others passed over', () => {
  expect(parsePsLines(PS).map(({ row, command }) => ({ ...row, command }))).toEqual([
    {
      pid: 1,
      ppid: 0,
      pgid: 1,
      sid: null,
      start: 'Mon Jun 2 08:01:02 2025',
      startOrder: Date.parse('Mon Jun 2 08:01:02 2025'),
      isDead: false,
      cpuMs: 12_340,
      command: '/sbin/launchd',
    },
    expect.objectContaining({
      pid: 501,
      cpuMs: 3_723_500,
      command: '/usr/local/bin/node server.js --name=a b',
    }),
    expect.objectContaining({ pid: 502, isDead: true, cpuMs: 0 }),
  ]);
  expect(['1-02:03:04', '4:05', '4:05.67', 'x', ''].map(parsePsTime)).toEqual([
    93_784_000,
    245_000,
    245_670,
    null,
    null,
  ]);
});

test('macOS: a mark among arguments is no mark', async () => {
  const withGrep = `${PS}  700   500   700 S    Mon Jun  2 09:10:11 2025       0:00.00 grep SIGNALBOX_OWNER=hub:a\n`;
  const calls: string[][] = [];
  const source = createDarwinProcesses((file, args) => {
    calls.push([file, ...args]);
    return Promise.resolve(args[0]?.includes('E') === true ? PS_E : withGrep);
  });
  const { rows, markOf } = await source.snapshot();
  expect(rows.map((row) => [row.pid, markOf(row)])).toEqual([
    [1, null],
    [501, 'hub:a'],
    [502, null],
    [700, null],
  ]);
  expect(calls.map((call) => call.slice(0, 2))).toEqual([
    ['/bin/ps', '-axEww'],
    ['/bin/ps', '-axww'],
  ]);
  expect(markAfterCommand('other program', 'program')).toBe(null);
});

test('Windows: the answer of CIM is read as one object or as a list', async () => {
  const one = '{"p":10,"q":4,"s":"638840000000000000","u":30000,"k":20000}';
  const row = {
    pid: 10,
    ppid: 4,
    pgid: null,
    sid: null,
    start: '638840000000000000',
    startOrder: 638840000000000000,
    isDead: false,
    cpuMs: 5,
  };
  expect(parseCimProcesses(one)).toEqual([row]);
  expect(parseCimProcesses(`[${one},{"p":0,"q":0,"s":null},null]`)).toEqual([row]);
  expect(parseCimProcesses('')).toEqual([]);

  const calls: string[] = [];
  const source = createWindowsProcesses((file, args) => {
    calls.push([file, ...args.slice(file === 'taskkill.exe' ? 0 : 99)].join(' '));
    return file === 'taskkill.exe' ? Promise.reject(new Error('gone')) : Promise.resolve(one);
  });
  expect((await source.snapshot()).rows).toEqual([row]);
  expect(await source.startOfChild(10)).toBe(row.start);
  await source.signal([], [10, 11], 'SIGTERM');
  await source.signal([], [10, 11], 'SIGKILL');
  expect(calls).toEqual(['powershell.exe', 'powershell.exe', 'taskkill.exe /T /F /PID 10 /PID 11']);
});
