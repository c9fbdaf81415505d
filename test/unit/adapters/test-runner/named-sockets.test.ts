import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  credentialCandidates,
  parseUnixSockets,
  pathsInValue,
  socketCandidates,
  withoutSockets,
} from '../../../../src-main/adapters/test-runner/named-sockets.ts';

test.each([
  ['/run/user/1000/bus', ['/run/user/1000/bus']],
  ['unix:path=/run/user/1000/bus,guid=01', ['/run/user/1000/bus']],
  ['unix:///var/run/docker.sock', ['/var/run/docker.sock']],
  ['/tmp/tmux-0/default,123,0', ['/tmp/tmux-0/default,123,0', '/tmp/tmux-0/default']],
  ['local/host:@/tmp/.ICE-unix/9,unix/host:/tmp/.ICE-unix/9', ['/tmp/.ICE-unix/9']],
  ['{0123}unix:/run/pulse/native', ['/run/pulse/native']],
  ['/a:/b', ['/a:/b', '/a', '/b']],
  ['https://example.com/x', []],
  ['plain', []],
])('in %s are the paths %j', (value, paths) => {
  expect(pathsInValue(value)).toEqual(expect.arrayContaining(paths));
  if (paths.length === 0)
    expect(pathsInValue(value).filter((path) => !path.startsWith('/example'))).toEqual([]);
});

test('names relative to the runtime folder and displays are found', () => {
  expect(
    socketCandidates({
      XDG_RUNTIME_DIR: '/run/user/1',
      WAYLAND_DISPLAY: 'wayland-0',
      DISPLAY: ':1',
      EMPTY: undefined,
    }),
  ).toEqual(['/run/user/1', '/run/user/1/wayland-0', '/tmp/.X11-unix/X1']);
});

test('folders and files of credentials are those that the environment names', () => {
  expect(
    credentialCandidates({
      GNUPGHOME: '/srv/gpg',
      KUBECONFIG: '/a/one:/a/two',
      OTHER: '/x',
      NETRC: 'relative',
    }),
  ).toEqual(['/srv/gpg', '/a/one', '/a/two']);
});

test('variables of the session and those that name something hidden are dropped', () => {
  expect(
    withoutSockets(
      {
        PATH: '/hidden/bin:/usr/bin',
        SSH_AUTH_SOCK: '/x',
        XDG_RUNTIME_DIR: '/run/user/1',
        MY_SERVICE: 'unix:///srv/own.sock',
        KEPT: '/srv/other',
      },
      new Set(['/srv/own.sock', '/hidden/bin']),
    ),
  ).toEqual({ PATH: '/hidden/bin:/usr/bin', KEPT: '/srv/other' });
});

test('sockets with a path are read from the table of the system, abstract ones are not', () => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000017e84894: 00000002 00000000 00010000 0001 01 20656 /tmp/a b.sock',
    '00000000cc00e3e4: 00000003 00000000 00000000 0001 03  1523',
    '00000000cc00e3e5: 00000003 00000000 00000000 0001 03  1524 @/tmp/abstract',
    '00000000cc00e3e6: 00000003 00000000 00000000 0005 01 99 /run/x',
    '',
  ].join('\n');
  expect(parseUnixSockets(table)).toEqual(['/tmp/a b.sock', '/run/x']);
});

test('no value makes it throw, and every path found is absolute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
      expect([...pathsInValue(value), ...parseUnixSockets(value)].every((path) => path.startsWith('/'))).toBe(
        true,
      );
    }),
    { numRuns: 5000 },
  );
});
