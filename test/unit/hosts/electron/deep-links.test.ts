import { describe, expect, test } from 'vitest';
import {
  itemOfRoute,
  linkAmong,
  parseLink,
  routeOf,
} from '../../../../src-main/hosts/electron/deep-links.ts';

describe('a link into the application', () => {
  test.each([
    ['signalbox://item/52', '/inbox/52'],
    ['SIGNALBOX://Item/52/', '/inbox/52'],
    ['signalbox://task/14', '/task/14'],
    ['signalbox://inbox', '/inbox'],
    ['signalbox://board/', '/board'],
    ['signalbox://settings', '/settings'],
  ])('%s shows %s', (link, route) => {
    const place = parseLink(link);
    expect(place === null ? null : routeOf(place)).toBe(route);
  });

  test.each([
    'signalbox://item',
    'signalbox://item/0',
    'signalbox://item/-1',
    'signalbox://item/52?approve=1',
    'signalbox://item/52#/settings',
    'signalbox://item/52/../../etc',
    'signalbox://item/99999999999',
    'signalbox://kill',
    'signalbox://inbox/52',
    'signalbox://user@item/52',
    'signalbox:item/52',
    'https://item/52',
    ' signalbox://item/52',
    `signalbox://item/${'5'.repeat(500)}`,
  ])('%s shows nothing', (link) => {
    expect(parseLink(link)).toBeNull();
  });

  test('is found among the switches that Chromium adds and moves', () => {
    expect(linkAmong(['--allow-file-access', 'signalbox://item/1', '--hidden'], 'linux')).toBe(
      'signalbox://item/1',
    );
  });

  test('is refused on Windows beside another word, and everywhere beside a second one', () => {
    expect([
      linkAmong(['signalbox://item/1', 'more'], 'win32'),
      linkAmong(['signalbox://item/1', '--x'], 'win32'),
      linkAmong(['signalbox://item/1', 'signalbox://item/2'], 'darwin'),
      linkAmong(['--hidden'], 'linux'),
    ]).toEqual([null, 'signalbox://item/1', null, null]);
  });
});

test('a route says which item it shows', () => {
  expect(['#/inbox/52', '/inbox/52?reply', '/inbox', '/task/52', '#/inbox/x'].map(itemOfRoute)).toEqual([
    52,
    52,
    null,
    null,
    null,
  ]);
});
