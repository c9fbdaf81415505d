import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSite } from '../../../../src-main/hosts/web/site.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

function build(folder: string, text: string, asset: string): void {
  mkdirSync(`${folder}/assets`, { recursive: true });
  writeFileSync(`${folder}/index.html`, text);
  writeFileSync(`${folder}/assets/${asset}`, text);
  writeFileSync(`${folder}/assets/${asset}.map`, '{}');
  writeFileSync(`${folder}/.stamp`, '1');
}

describe('the files of the window', () => {
  test('are found by their paths, with their type and how long they stay the same', () => {
    using temp = makeTempFolder('site');
    build(temp.path, 'one', 'index-abc.js');
    const site = createSite(temp.path);
    const shape = (pathname: string) => {
      const file = site.find(pathname);
      return file === null ? null : [file.body.toString(), file.type, file.caching];
    };
    const page = ['one', 'text/html; charset=utf-8', 'no-store'];
    expect([shape('/'), shape('/index.html'), shape('/assets/index-abc.js')]).toEqual([
      page,
      page,
      ['one', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ]);
  });

  test.each([
    '/../secret',
    '/assets/../../secret',
    '/%2e%2e/secret',
    '/.stamp',
    '/assets',
    '/assets/index-abc.js.map',
    '//',
  ])('are not found at %s', (pathname) => {
    using temp = makeTempFolder('site');
    writeFileSync(temp.join('secret'), 'x');
    build(temp.join('site'), 'one', 'index-abc.js');
    expect(createSite(temp.join('site')).find(pathname)).toBeNull();
  });

  test('are those of the newest build, and those of the last one while there is none', () => {
    using temp = makeTempFolder('site');
    const site = createSite(temp.join('site'));
    expect([site.isBuilt, site.find('/')]).toEqual([false, null]);
    build(temp.join('site'), 'one', 'index-abc.js');
    expect(site.find('/')?.body.toString()).toBe('one');
    build(temp.join('next'), 'two', 'index-def.js');
    rmSync(temp.join('site'), { recursive: true });
    expect(site.find('/')?.body.toString()).toBe('one');
    expect(site.find('/assets/index-abc.js')?.body.toString()).toBe('one');
    renameSync(temp.join('next'), temp.join('site'));
    expect(site.find('/')?.body.toString()).toBe('two');
    expect(site.find('/assets/index-abc.js')).toBeNull();
  });
});
