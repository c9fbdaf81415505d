import { expect, test } from 'vitest';
import { droppedText } from '../../../src-renderer/features/board/dropped-text.ts';

const file = (name: string, text: string, size = text.length) => ({
  name,
  size,
  text: () => Promise.resolve(text),
});

test('text files come below their names, others are named as refused', async () => {
  const files = [file('a.md', 'one\n'), file('b.png', 'x\0y'), file('c.log', 'long', 10_000_000)];
  expect(await droppedText(files)).toEqual({ text: 'a.md:\n\none', refused: ['b.png', 'c.log'] });
});
