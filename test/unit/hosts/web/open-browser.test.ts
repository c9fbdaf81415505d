import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openInBrowser } from '../../../../src-main/hosts/web/open-browser.ts';
import { seconds } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const url = 'http://127.0.0.1:4000/#token=abc-DEF_1';

test('a browser is led to the link by a page that only this user may read, and that goes after a minute', async () => {
  using temp = makeTempFolder('open');
  const clock = new FakeClock();
  const shown: { file: string; text: string; mode: number }[] = [];
  await openInBrowser({
    url,
    folder: temp.path,
    clock,
    show: (file) => {
      shown.push({ file, text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 });
      return Promise.resolve();
    },
  });
  const [page] = shown;
  expect(page?.mode).toBe(0o600);
  expect(page?.text).toContain(`content="0; url=${url}"`);
  expect(page?.file).not.toContain('abc');
  expect(existsSync(page?.file ?? '')).toBe(true);
  clock.advance(seconds(60));
  expect(existsSync(page?.file ?? '')).toBe(false);
});

test('a page that nothing can show does not stay, and one that is no longer needed goes at once', async () => {
  using temp = makeTempFolder('open');
  const clock = new FakeClock();
  let file = '';
  const show = (shown: string) => {
    file = shown;
    return Promise.resolve();
  };
  const failing = (shown: string) => show(shown).then(() => Promise.reject(new Error('no browser')));
  await expect(openInBrowser({ url, folder: temp.path, clock, show: failing })).rejects.toThrow('no browser');
  expect(existsSync(file)).toBe(false);
  (await openInBrowser({ url, folder: temp.path, clock, show })).dispose();
  expect([existsSync(file), clock.pending]).toEqual([false, 0]);
});
