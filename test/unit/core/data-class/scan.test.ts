import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeHit, scanText, valueAt } from '../../../../src-main/core/data-class/scan.ts';
import type { DataClassRules } from '../../../../src-main/core/data-class/hit.ts';
import { isAppError } from '../../../../src-shared/errors.ts';
import { around, corrupted, pan, writtenAadhaar, writtenCard, writtenIban } from './valid-numbers.ts';

const NONE: DataClassRules = { denyNames: [], patterns: {} };
const found = (text: string, rules = NONE): readonly string[] =>
  scanText(text, rules).map((hit) => `${hit.rule}: ${valueAt(text, hit)}`);
const rulesOf = (text: string): readonly string[] => scanText(text, NONE).map((hit) => hit.rule);

describe('what is found', () => {
  test.each([
    ['his PAN is ABCPE1234F.', 'pan: ABCPE1234F'],
    ['pan_abcpe1234f', 'pan: abcpe1234f'],
    ['Aadhaar 2345 6789 0124?', 'aadhaar: 2345 6789 0124'],
    ['"uid": "234567890124"', 'aadhaar: 234567890124'],
    ['pay 4111 1111 1111 1111 cvv 123', 'card-number: 4111 1111 1111 1111'],
    ['pay 4111-1111-1111-1111 123', 'card-number: 4111-1111-1111-1111'],
    ['2 4111 1111 1111 1111 123', 'card-number: 4111 1111 1111 1111'],
    ['amex 3782 822463 10005', 'card-number: 3782 822463 10005'],
    ['6011000990139424,', 'card-number: 6011000990139424'],
    ['DE89 3704 0044 0532 0130 00 is', 'iban: DE89 3704 0044 0532 0130 00'],
    ['iban=gb82west12345698765432;', 'iban: gb82west12345698765432'],
    ['mail anna.m@corp.co.', 'email: anna.m@corp.co'],
    ['<jörg@müller.de>', 'email: jörg@müller.de'],
    ['call +91 98765 43210 now', 'phone: +91 98765 43210'],
    ['+14155552671', 'phone: +14155552671'],
    ['(415) 555-2671', 'phone: (415) 555-2671'],
    ['98765 43210', 'phone: 98765 43210'],
    ['"phone": "9876543210"', 'phone: 9876543210'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----', 'private-key: -----BEGIN OPENSSH PRIVATE KEY-----'],
    ['AKIAIOSFODNN7ABCDEFG', 'aws-key: AKIAIOSFODNN7ABCDEFG'],
    [`ghp_${'a1'.repeat(18)}`, `github-token: ghp_${'a1'.repeat(18)}`],
    ['sk-ant-api03-abcdefghijklmnopqrst', 'anthropic-key: sk-ant-api03-abcdefghijklmnopqrst'],
    ['xoxb-1234567890-abc', 'slack-token: xoxb-1234567890-abc'],
    [
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3',
      'json-web-token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3',
    ],
  ])('%s holds %s and nothing else', (text, hit) => {
    expect(found(text)).toEqual([hit]);
  });

  test.each([
    ['amounts', 'total 123.45, 1,234,567.89 and 100000000000'],
    ['versions', 'v1.2.3, 10.0.19041.1234, lodash@4.17.21, libphonenumber-js@1.13.16'],
    ['dates and times', '2026-03-02T09:00:00.123+05:30, 02/03/2026, 1767225600000, 1767225600000000'],
    ['hashes', 'd41d8cd98f00b204e9800998ecf8427e 7669489 3f5e1ca0123456789012'],
    ['a UUID that ends in digits', '00000000-0000-4000-8000-234567890124'],
    ['decimals', '0.234567890124 and 4111111111111111.5'],
    ['example addresses', 'a@example.com b@mail.example.org c@x.test d@y.invalid e@z.example f@localhost'],
    ['remotes and pictures', 'git@github.com:a/b.git ssh://git@host.org/x https://u@host.org/ icon@2x.png'],
    ['numbers of films', '+1 415-555-0123, (212) 555-0199, +44 7700 900123'],
    ['a public key', '-----BEGIN PUBLIC KEY-----'],
    ["Amazon's own example", 'AKIAIOSFODNN7EXAMPLE'],
    ['plain ten-digit numbers', '9876543210 items, id 4155552671'],
    ['a PAN with an impossible kind or serial', 'ABCZE1234F ABCPE0000F'],
    ['sums', '1+12345678=12345679; a+14155'],
  ])('%s are not personal data', (_what, text) => {
    expect(found(text)).toEqual([]);
  });

  test('places are lines and columns from 1, and the message holds no value', () => {
    const text = 'one\r\ntwo ABCPE1234F\n\n  a@corp.co';
    const hits = scanText(text, NONE);
    expect(hits).toEqual([
      { rule: 'pan', line: 2, column: 5, length: 10 },
      { rule: 'email', line: 4, column: 3, length: 9 },
    ]);
    expect(hits.map(describeHit)).toEqual(['pan at line 2, column 5', 'email at line 4, column 3']);
  });
});

describe("the project's own rules", () => {
  const rules: DataClassRules = {
    denyNames: ['Müller', 'Priya Sharma', "O'Brien", '李小龙', ' ', 'Ram'],
    patterns: { policy: 'POL-\\d{8}', folio: '(?i)folio\\s*\\d+/\\d+' },
  };

  test('names are found as whole words in any case and Unicode form', () => {
    const text =
      "MÜLLER mu\u0308ller Müllerstraße PRIYA\nsharma priya.sharma o'brien 我是李小龙。 ram_usage Ram";
    expect(found(text, rules)).toEqual([
      'deny-name: MÜLLER',
      'deny-name: mu\u0308ller',
      'deny-name: PRIYA\nsharma',
      'deny-name: priya.sharma',
      "deny-name: o'brien",
      'deny-name: 李小龙',
      'deny-name: Ram',
    ]);
  });

  test('patterns are found with their name', () => {
    expect(found('POL-12345678 and Folio 12/34', rules)).toEqual([
      'policy: POL-12345678',
      'folio: Folio 12/34',
    ]);
  });

  test('a pattern finds its value also far into a long line', () => {
    const text = `${'x '.repeat(5000)}POL-12345678${' y'.repeat(5000)}`;
    expect(found(text, rules)).toEqual(['policy: POL-12345678']);
  });

  test.each(['(', '(?=a)', '(a)\\1', 'x*', 'a'.repeat(1001)])(
    'the pattern %s is refused, not skipped',
    (source) => {
      const scan = (): unknown => scanText('any', { denyNames: [], patterns: { own: source } });
      expect(scan).toThrow(/data pattern "own"/);
      try {
        scan();
      } catch (error) {
        expect(isAppError(error, 'config-invalid')).toBe(true);
      }
    },
  );

  test('a pattern that would hang a backtracking engine does not hang this one', () => {
    const text = `${'a'.repeat(100_000)}b`;
    expect(found(text, { denyNames: [], patterns: { evil: '(a+)+$', worse: '(a|a)*c' } })).toEqual([]);
  });
});

describe('properties', () => {
  test.each([
    ['pan', pan],
    ['aadhaar', writtenAadhaar],
    ['card-number', writtenCard],
    ['iban', writtenIban],
  ] as const)('every valid %s is found in any text', (rule, numbers) => {
    fc.assert(
      fc.property(numbers, around, (number, [before, open, close, after]) => {
        const text = before + open + number + close + after;
        const at = before.length + open.length;
        const lines = text.slice(0, at).split('\n');
        expect(scanText(text, NONE)).toContainEqual({
          rule,
          line: lines.length,
          column: (lines.at(-1)?.length ?? 0) + 1,
          length: number.length,
        });
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['aadhaar', corrupted(writtenAadhaar)],
    // A number in groups may hold another, shorter one that is valid by itself.
    ['card-number', corrupted(writtenCard.filter((number) => !/\D/.test(number)))],
    ['iban', corrupted(writtenIban)],
  ] as const)('one wrong digit is enough for %s to be silent', (rule, numbers) => {
    fc.assert(
      fc.property(numbers, (number) => {
        expect(rulesOf(`a ${number} b`)).not.toContain(rule);
      }),
      { numRuns: 2000 },
    );
  });

  test('no text makes it throw, and every place lies in the text', () => {
    const rules: DataClassRules = { denyNames: ['Ana', 'Li Wei'], patterns: { folio: '[A-Z]{2}\\d+' } };
    const bits = fc.constantFrom(
      ...[
        '4111 1111 ',
        '+91 ',
        '98765',
        '@',
        'a@b.co',
        'DE89',
        '2345-',
        'ABCPE1234F',
        '-----BEGIN ',
        'eyJ',
        '00',
      ],
      ...['phone: ', '(415) ', 'Li Wei', 'AB12', '\n', '\r\n', '\u{d800}', '\u202e', '0', '5', '-', '.'],
    );
    const text = fc
      .array(fc.oneof(bits, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        for (const hit of scanText(value, rules)) {
          if (hit.length < 1 || valueAt(value, hit).length !== hit.length) throw new Error('place outside');
        }
      }),
      { numRuns: 100_000 },
    );
  }, 60_000);

  test.each([
    ['lorem ipsum 12 34 '],
    ['4 '],
    ['AA00 '],
    ['a@'],
    ['4111 1111 1111 1111 '],
    ['+1'],
    ['phone:1 '],
  ])(
    'time grows with the size of a text of "%s", not with its square',
    (bit) => {
      const time = (size: number): number => {
        const text = bit.repeat(size / bit.length);
        const from = performance.now();
        scanText(text, { denyNames: ['Ana', 'phone 1'], patterns: { own: '\\d+ \\d+' } });
        return performance.now() - from;
      };
      time(50_000);
      const small = Math.max(5, time(100_000), time(100_000));
      // Ten times the text in a hundred times the time would be the square; the machine may be busy.
      expect(time(1_000_000)).toBeLessThan(small * 40);
    },
    30_000,
  );
});
