import { describe, expect, test } from 'vitest';
import {
  APP_URL,
  assetHeaders,
  assetPath,
  CONTENT_SECURITY_POLICY,
  decideNewWindow,
  isOwnUrl,
  isPermitted,
  mayRequest,
  maySpeak,
  refusedSwitch,
} from '../../../../src-main/hosts/electron/window-policy.ts';

const FOREIGN = [
  'https://bundle/index.html',
  'app://other/index.html',
  'app://user@bundle/index.html',
  'app://bundle.evil.example/index.html',
  'app://bundle:80/index.html',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'about:blank',
  'http://localhost:5173/',
  'not a url',
];

describe('where the window may be', () => {
  test('its own page is its own, with a route', () => {
    expect([APP_URL, `${APP_URL}#/inbox/52`].map(isOwnUrl)).toEqual([true, true]);
  });

  test.each(FOREIGN)('%s is not', (url) => {
    expect(isOwnUrl(url)).toBe(false);
  });

  test('a link to the web is asked about, https alone', () => {
    expect(decideNewWindow('https://example.com/a?b=c')).toEqual({
      kind: 'ask',
      url: 'https://example.com/a?b=c',
      host: 'example.com',
    });
  });

  test.each([
    'http://example.com/',
    'https://user:pass@example.com/',
    'file:///etc/passwd',
    'smb://host/share',
    'ms-msdt:/id',
    'mailto:a@b.example',
    'signalbox://item/1',
    'javascript:alert(1)',
    '',
  ])('no other link leads anywhere: %s', (url) => {
    expect(decideNewWindow(url)).toEqual({ kind: 'deny' });
  });

  test('nothing is requested but the bundle', () => {
    const urls = [APP_URL, 'https://example.com/', 'http://127.0.0.1:8080/', 'ws://x/', 'file:///x'];
    expect(urls.map(mayRequest)).toEqual([true, false, false, false, false]);
  });

  test('a page may copy its text and nothing else', () => {
    const wanted = [
      'clipboard-sanitized-write',
      'notifications',
      'media',
      'openExternal',
      'loopback-network',
    ];
    expect([
      wanted.map((permission) => isPermitted(permission, APP_URL)),
      isPermitted('clipboard-sanitized-write', 'https://evil.example/'),
    ]).toEqual([[true, false, false, false, false], false]);
  });
});

describe('who may speak to main', () => {
  const top = { url: APP_URL, isTop: true };

  test('the main frame of our window, while it shows our page', () => {
    expect(maySpeak(top, true)).toBe(true);
  });

  test.each([
    ['a frame that is gone', null, true],
    ['a frame within', { ...top, isTop: false }, true],
    ['a window that is not ours', top, false],
    ['another page in our window', { ...top, url: 'https://evil.example/' }, true],
  ])('not %s', (_who, frame, isOurs) => {
    expect(maySpeak(frame, isOurs)).toBe(false);
  });
});

describe('the bundle', () => {
  test.each([
    ['app://bundle/index.html', 'index.html'],
    ['app://bundle/assets/index-Bx_9.js?v=1#x', 'assets/index-Bx_9.js'],
    ['app://bundle/%2e%2e/inside', 'inside'],
  ])('%s is %s', (url, file) => {
    expect(assetPath(url)).toBe(file);
  });

  test.each([
    'app://bundle/',
    'app://bundle/a%2f..%2f..%2fsecret',
    'app://bundle/%252e%252e/secret',
    'app://bundle/a%5c..%5csecret',
    'app://bundle//etc/passwd',
    'app://bundle/a%00.js',
    'app://bundle/%E0%A4%A',
    'app://other/index.html',
    'https://bundle/index.html',
  ])('%s is nothing', (url) => {
    expect(assetPath(url)).toBeNull();
  });

  test('comes with a policy that lets nothing inline run', () => {
    expect([assetHeaders('index.html'), CONTENT_SECURITY_POLICY.includes('unsafe')]).toEqual([
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      },
      false,
    ]);
  });
});

test.each([
  [['--hidden', 'signalbox://item/1'], null],
  [['--remote-debugging-port=9222'], 'remote-debugging-port'],
  [['--INSPECT'], 'inspect'],
  [['-js-flags=--x'], 'js-flags'],
])('a packaged start with %j refuses %s', (args, name) => {
  expect(refusedSwitch(args)).toBe(name);
});
