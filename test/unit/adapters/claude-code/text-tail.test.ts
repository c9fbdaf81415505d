import { expect, test } from 'vitest';
import { createTextTail } from '../../../../src-main/adapters/claude-code/text-tail.ts';

test('the last bytes stay, whatever the chunks were', () => {
  for (const size of [1, 3, 50, 1_000]) {
    const tail = createTextTail(20);
    const text = Array.from({ length: 500 }, (_, index) => `${index},`).join('');
    for (let at = 0; at < text.length; at += size) tail.push(Buffer.from(text.slice(at, at + size)));
    expect(tail.text()).toBe(text.slice(-20));
  }
});
