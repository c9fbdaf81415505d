import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  markdownLine,
  markedBlock,
  shortLine,
  visibleLine,
  visibleText,
} from '../../../src-shared/visible-text.ts';

/** What a terminal would act on, or a reader would not see. */
const ACTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\uffa0\ufeff\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u;
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

describe('text that somebody else wrote', () => {
  test('shows escapes, bidirectional marks and zero-width spaces instead of passing them on', () => {
    expect(visibleText('\u001b[31mred\u0007 \u202egnp.exe\u202c a\u200bb\r\nnext\tcell')).toBe(
      '␛[31mred␇ <U+202E>gnp.exe<U+202C> a<U+200B>b\nnext\tcell',
    );
  });

  test('shows what is drawn as nothing: tags, the unused places beside them, fillers', () => {
    expect(visibleLine('a\u{e0041}\u{e0002}\u2065\u3164b')).toBe('a<U+E0041><U+E0002><U+2065><U+3164>b');
  });

  test('never leaves anything that acts, whatever comes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visibleText(text)).not.toMatch(ACTIVE);
        expect(visibleLine(text)).not.toMatch(/[\n\t\r]/);
      }),
    );
  });

  test('keeps ordinary text of any script as it is', () => {
    const text = 'Größe 12 € हिन्दी क्‍ष 数 👩‍💻 ❤\ufe0f 葛\u{e0100} – “ok”';
    expect(visibleText(text)).toBe(text);
  });

  test('is cut at a number of characters, never in the middle of one', () => {
    expect(shortLine('😀😀😀😀', 3)).toBe('😀😀…');
    expect(shortLine('abc', 3)).toBe('abc');
  });
});

describe('a marked block', () => {
  test('has a bar before every line, also where a long line is wrapped', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 20, max: 100 }), (text, columns) => {
        const lines = markedBlock('Claude Code', text, columns).split('\n');
        expect(lines[0]).toBe('┌ Claude Code');
        expect(lines.at(-1)).toBe('└');
        for (const line of lines.slice(1, -1)) expect(line.startsWith('│ ')).toBe(true);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('keeps every character of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const inside = markedBlock('a', text, 30).split('\n').slice(1, -1);
        const shown = inside.map((line) => line.slice(2)).join('');
        expect(shown).toBe(visibleText(text).replace(/\n/g, '').replace(/\t/g, '    '));
      }),
    );
  });

  test('breaks between words where it can', () => {
    expect(markedBlock('a', 'one two three four five', 20)).toBe('┌ a\n│ one two three \n│ four five\n└');
  });
});

describe('Markdown', () => {
  test('shows links, HTML, tables and emphasis as their characters', () => {
    expect(markdownLine('[x](http://a.b) <img> | *b* `c` www.d.e\n# f')).toBe(
      '\\[x\\]\\(http\\:\\/\\/a\\.b\\) &lt;img&gt; \\| \\*b\\* \\`c\\` www\\.d\\.e␊\\# f',
    );
  });

  test('is one line without a bare bar or angle bracket, whatever comes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = markdownLine(text);
        expect(line).not.toMatch(/(^|[^\\])\||[<>\n]/);
        expect(line).not.toMatch(ACTIVE);
      }),
    );
  });
});
