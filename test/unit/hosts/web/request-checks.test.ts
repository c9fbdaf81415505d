import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../../../src-shared/window-policy.ts';
import {
  cookieHeader,
  cookieIn,
  isJson,
  isOurHost,
  isOurOrigin,
} from '../../../../src-main/hosts/web/request-checks.ts';

describe('what a request says of itself', () => {
  test.each([
    ['127.0.0.1:4000', true],
    ['127.0.0.1', false],
    ['127.0.0.1:4001', false],
    ['localhost:4000', false],
    ['[::1]:4000', false],
    ['evil.example:4000', false],
    ['127.0.0.1:4000.evil.example', false],
    ['user@127.0.0.1:4000', false],
    ['', false],
    [undefined, false],
  ])('the host "%s" is ours: %s', (header, isOurs) => {
    expect(isOurHost(header === undefined ? undefined : [header], 4000)).toBe(isOurs);
  });

  test.each([
    ['http://127.0.0.1:4000', true],
    ['https://127.0.0.1:4000', false],
    ['http://127.0.0.1:4001', false],
    ['http://localhost:4000', false],
    ['http://127.0.0.1:4000.evil.example', false],
    ['null', false],
    [undefined, false],
  ])('the origin "%s" is ours: %s', (header, isOurs) => {
    expect(isOurOrigin(header, 4000)).toBe(isOurs);
  });

  test('two hosts are none', () => {
    expect(isOurHost(['127.0.0.1:4000', '127.0.0.1:4000'], 4000)).toBe(false);
  });

  test('a browser leaves out the port of HTTP', () => {
    expect([isOurHost(['127.0.0.1'], 80), isOurOrigin('http://127.0.0.1', 80)]).toEqual([true, true]);
  });

  test.each([
    ['signalbox-4000=abc', 'abc'],
    ['other=1; signalbox-4000=abc; more=2', 'abc'],
    ['signalbox-4001=abc', null],
    ['xsignalbox-4000=abc', null],
    ['signalbox-4000=abc; signalbox-4000=def', null],
    ['', null],
    [undefined, null],
  ])('the cookie in "%s" is %s', (header, value) => {
    expect(cookieIn(header, 4000)).toBe(value);
  });

  test('the cookie is named after the port, and no script or foreign page has it', () => {
    expect(cookieHeader(4000, 'abc')).toBe(
      'signalbox-4000=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000',
    );
  });

  test('only JSON is taken for JSON', () => {
    const types = ['application/json', 'Application/JSON; charset=utf-8', 'text/plain', undefined];
    expect(types.map(isJson)).toEqual([true, true, false, false]);
  });
});

test('the window may load its own files only, and no inline script or style', () => {
  expect(contentSecurityPolicy(['ws://127.0.0.1:4000'])).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
      "connect-src 'self' ws://127.0.0.1:4000; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'",
  );
});
