import { describe, expect, test } from 'vitest';
import { lastLinesOf, withoutColours } from '../../../src-renderer/components/output-text.ts';
import { permissionInput, programsOf } from '../../../src-renderer/features/inbox/permission-input.ts';
import { createFormat, dateLocale } from '../../../src-renderer/format/format.ts';

describe('output of a program', () => {
  test('loses its colours and nothing else', () => {
    expect(withoutColours('\u001b[1;31mfailed\u001b[0m\u001b[2J')).toBe('failed\u001b[2J');
  });

  test('is shown from its end', () => {
    expect(lastLinesOf('a\nb\nc\n\n', 2)).toBe('b\nc');
    expect(lastLinesOf('a', 3)).toBe('a');
    expect(lastLinesOf('\n\na\n', 2)).toBe('\na');
    expect(lastLinesOf('', 3)).toBe('');
  });
});

describe('what a permission request asks for', () => {
  test('is a command where there is one, else the whole input', () => {
    expect(permissionInput({ command: 'ls', description: 'Look.' })).toMatchObject({
      command: 'ls',
      reason: 'Look.',
    });
    expect(permissionInput({ file_path: '/x' })).toMatchObject({
      command: null,
      json: '{\n  "file_path": "/x"\n}',
    });
    expect(permissionInput(undefined)).toEqual({ command: null, reason: null, json: 'null' });
  });

  test('names the programs that its parts begin with', () => {
    expect(programsOf('npm install --save-exact x@1 \\\n  && node check.mjs | tee log')).toEqual([
      'npm install',
      'node',
      'tee log',
    ]);
    expect(programsOf('CI=1 npm test; npm test')).toEqual(['npm test']);
    expect(programsOf('  ')).toEqual([]);
  });
});

test('lengths have short units with a space, in each language', () => {
  const lengths = [48_000, 14 * 60_000, 100 * 60_000, 50 * 3_600_000];
  expect(lengths.map(createFormat('en').length)).toEqual(['48 s', '14 min', '1 h 40 min', '2 d 2 h']);
  expect(lengths.map(createFormat('de').length)).toEqual(['48 Sek.', '14 Min.', '1 h 40 Min.', '2 T 2 h']);
});

test('dates are those of the region that the browser prefers, if it speaks the language of the words', () => {
  expect(dateLocale('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(dateLocale('de', ['en-GB'])).toBe('de');
});

describe('amounts and times', () => {
  const [en, de] = [createFormat('en'), createFormat('de')];

  test('below ten cents money has three digits, and nothing is nothing', () => {
    expect([0, 0.0029, 0.0999, 0.1, -0.05, 1234.5].map(en.usd)).toEqual([
      '$0.00',
      '$0.003',
      '$0.100',
      '$0.10',
      '-$0.050',
      '$1,234.50',
    ]);
    expect(de.usd(1234.5)).toBe('1.234,50\u00a0$');
  });

  test('what runs counts in seconds, then with the next smaller unit', () => {
    expect([-5, 48_000, 252_000, 6_000_000].map(en.elapsed)).toEqual([
      '0 s',
      '48 s',
      '4 min 12 s',
      '1 h 40 min',
    ]);
  });

  test('a day of another year has its year, a moment of another day its day', () => {
    const [old, today] = ['2019-02-03T10:05:00', new Date().toISOString()];
    expect(en.day(old)).toBe('Feb 3, 2019');
    expect(en.dateTime(old)).toBe('Feb 3, 2019, 10:05');
    expect(en.moment(old)).toBe(en.dateTime(old));
    expect(en.moment(today)).toBe(en.time(today));
    expect(en.exactTime(old)).toBe('10:05:00');
    expect(createFormat('en', 'en-GB').day(old)).toBe('3 Feb 2019');
    expect([en.number(12345), de.number(12345)]).toEqual(['12,345', '12.345']);
  });
});
