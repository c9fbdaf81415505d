import { describe, expect, test } from 'vitest';
import { generationOf, offerFor } from '../../../../src-main/core/notify/offers.ts';
import { anItem } from './items.ts';

const ALL = { click: true, buttons: true, reply: true, withdraw: true };
const NO_REPLY = { ...ALL, reply: false };
const labels = (...args: Parameters<typeof offerFor>): readonly string[] =>
  offerFor(...args).buttons.map((button) => button.label);

describe('what a notification offers', () => {
  test('a question offers its first two options and a reply', () => {
    expect(offerFor(anItem(), ALL)).toEqual({
      buttons: [
        { id: 'option-1', label: 'Half up' },
        { id: 'option-2', label: 'Half even' },
      ],
      reply: { placeholder: 'Reply' },
      options: { 'option-1': 'Half up', 'option-2': 'Half even' },
    });
  });

  test('without a text field Reply is a button, without buttons there are none', () => {
    expect([labels(anItem(), NO_REPLY), labels(anItem(), { ...ALL, buttons: false })]).toEqual([
      ['Half up', 'Half even', 'Reply'],
      [],
    ]);
  });

  test.each([
    ['is too long', 'x'.repeat(41)],
    ['has a character that would be made visible', 'Half\u202Eup'],
    ['has a line break', 'Half\nup'],
    ['is there twice', 'Half even'],
    ['is there twice but for case and width', 'ＨＡＬＦ EVEN'],
    ['looks like one of our buttons', 'Deny'],
    ['has space around it', ' Half up'],
    ['is empty', ''],
  ])('an option that %s is no button; Open is', (_why, option) => {
    const item = anItem({ options: [option, 'Half even'] });
    const shown = labels(item, ALL);
    expect([shown.includes(option) && option !== 'Half even', shown.includes('Open')]).toEqual([false, true]);
  });

  test('an option of exactly forty characters is a button', () => {
    const option = 'x'.repeat(40);
    expect(labels(anItem({ options: [option] }), ALL)).toEqual([option]);
  });

  test('a permission can be denied and never allowed', () => {
    const item = anItem({ kind: 'permission', options: ['Allow'] });
    expect(offerFor(item, ALL)).toEqual({
      buttons: [
        { id: 'open', label: 'Open' },
        { id: 'deny', label: 'Deny' },
      ],
      reply: null,
      options: {},
    });
  });

  test.each(['approve', 'review', 'manual', 'gate'] as const)('a %s item can only be opened', (kind) => {
    expect(offerFor(anItem({ kind }), ALL)).toEqual({
      buttons: [{ id: 'open', label: 'Open' }],
      reply: null,
      options: {},
    });
  });

  test('another commit, another question or another option is another offer', () => {
    const item = anItem();
    const others = [{ commit: 'abc' }, { question: 'Else?' }, { options: ['A'] }, { cycle: 2 }];
    const generations = [item, ...others.map((over) => anItem(over))].map(generationOf);
    expect([new Set(generations).size, generationOf(anItem())]).toEqual([5, generationOf(item)]);
  });
});
