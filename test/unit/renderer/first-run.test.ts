import { describe, expect, it } from 'vitest';
import { commandWords } from '../../../src-renderer/features/first-run/command-words.ts';
import { droppedPath } from '../../../src-renderer/features/first-run/dropped-path.ts';
import { shellWords } from '../../../src-shared/shell-word.ts';

describe('a typed command', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ['  npm   run  "my test" ', ['npm', 'run', 'my test']],
    [String.raw`sh -c 'a | b "c"'`, ['sh', '-c', 'a | b "c"']],
    [String.raw`echo a\ b \"q\"`, ['echo', 'a b', '"q"']],
    [String.raw`C:\tools\run.exe -x`, [String.raw`C:\tools\run.exe`, '-x']],
    ["run ''", ['run', '']],
    ['', []],
  ])('%s', (line, words) => {
    expect(commandWords(line)).toEqual(words);
  });

  it('comes back as it was written down', () => {
    for (const words of [
      ['a', "it's", 'b c'],
      ['$HOME', '"', '\\'],
      ['', ' '],
    ])
      expect(commandWords(shellWords(words))).toEqual(words);
  });

  it('is none while a quotation mark is open', () => {
    expect(commandWords('echo "a')).toBeNull();
    expect(commandWords("it's")).toBeNull();
  });
});

describe('what was dropped', () => {
  const dropped = (given: Record<string, string>) => ({ getData: (type: string) => given[type] ?? '' });

  it('is a path when the browser tells it as an address or as text', () => {
    expect(
      droppedPath(dropped({ 'text/uri-list': '# from a list\r\nfile:///home/asha/my%20code\r\n' })),
    ).toBe('/home/asha/my code');
    expect(droppedPath(dropped({ 'text/uri-list': 'file:///C:/work' }))).toBe('C:/work');
    expect(droppedPath(dropped({ 'text/plain': ' /srv/code ' }))).toBe('/srv/code');
  });

  it('is nothing when it does not, or when it is something else', () => {
    for (const given of [
      {},
      { 'text/plain': 'hello' },
      { 'text/uri-list': 'https://example.com/' },
      { 'text/uri-list': 'file:///%E0%A4%A' },
    ])
      expect(droppedPath(dropped(given as Record<string, string>))).toBeNull();
  });
});
