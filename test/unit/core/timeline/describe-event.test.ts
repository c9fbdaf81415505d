import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText } from '../../../../src-main/core/timeline/cut-text.ts';
import { describeEvent, inputText, SHORT_TEXT } from '../../../../src-main/core/timeline/describe-event.ts';
import { changeOfTool } from '../../../../src-main/core/timeline/tool-change.ts';

const tool = (name: string, input: unknown) =>
  ({ kind: 'tool', id: 't1', name, input: JSON.stringify(input), path: null }) as const;

describe('an event in a page', () => {
  test('is never longer than its bound, and says how long the whole is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const described = describeEvent({ kind: 'assistant', text });
        expect(described.text.length).toBeLessThanOrEqual(SHORT_TEXT);
        expect(text.startsWith(described.text)).toBe(true);
        expect({ chars: described.chars, isCut: described.isCut }).toEqual({
          chars: text.length,
          isCut: described.text.length < text.length,
        });
      }),
    );
  });

  test('is not cut in the middle of a character', () => {
    expect(cutText('a😀b', 2)).toBe('a');
    expect(cutText('a😀b', 3)).toBe('a😀');
  });

  test.each([
    [{ command: 'npm test', description: 'run the tests' }, 'npm test'],
    [{ pattern: 'round\\(', path: 'src' }, 'round\\('],
    [{ file_path: 'src/lines.ts' }, 'src/lines.ts'],
    [{ other: 1 }, '{"other":1}'],
    [[], '[]'],
    [null, 'null'],
  ])('a tool is shown by what its input says most: %j', (input, text) => {
    expect(inputText(JSON.stringify(input))).toBe(text);
  });

  test('input that is no JSON is shown as it is', () => {
    expect(describeEvent({ ...tool('Read', {}), input: '{"cut' }).text).toBe('{"cut');
  });
});

describe('the change of an editing tool', () => {
  test('counts only lines that differ, and shows removed ones before added ones', () => {
    const input = { old_string: 'a\nold\nz\n', new_string: 'a\nnew one\nnew two\nz\n' };
    expect(describeEvent(tool('Edit', input)).change).toEqual({
      added: 2,
      removed: 1,
      lines: [
        { sign: '-', text: 'old' },
        { sign: '+', text: 'new one' },
        { sign: '+', text: 'new two' },
      ],
    });
  });

  test('of a new file is all its lines', () => {
    expect(changeOfTool('Write', JSON.stringify({ content: 'one\ntwo\n' }))).toMatchObject({
      added: 2,
      removed: 0,
    });
  });

  test('adds up over several edits', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: '', new_string: 'c\nd' },
    ];
    expect(changeOfTool('MultiEdit', JSON.stringify({ edits }))).toMatchObject({ added: 3, removed: 1 });
  });

  test('is bounded whatever an agent sends, and a tool that edits nothing has none', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Bash'),
        fc.oneof(fc.json(), fc.string()),
        fc.array(fc.string()),
        (name, anything, lines) => {
          const text = lines.join('\n');
          const input = JSON.stringify({
            old_string: text,
            new_string: anything,
            content: text,
            edits: [anything, { old_string: anything, new_string: text }],
          });
          for (const each of [anything, input]) {
            const change = changeOfTool(name, each);
            if (name === 'Bash') expect(change).toBeNull();
            if (change === null) continue;
            expect(change.lines.length).toBeLessThanOrEqual(6);
            expect(change.lines.length).toBeLessThanOrEqual(change.added + change.removed);
          }
        },
      ),
    );
  });
});
