import { isAgentsQuestion, type Item } from '../../../src-shared/model/item.ts';
import { cutText } from '../timeline/cut-text.ts';

const LONGEST = 200;

/** One line of an item for a list, and whose words it is. */
export interface Excerpt {
  readonly text: string;
  readonly by: 'agent' | 'signalbox';
}

const oneLine = (text: string): string =>
  cutText(
    text
      .trim()
      .slice(0, 4 * LONGEST)
      .replace(/\s+/g, ' '),
    LONGEST,
  );

/** What a list shows of an item: its question, the summary of an offer, or our own sentence. */
export function excerptOf(item: Item): Excerpt {
  if (isAgentsQuestion(item)) return { text: oneLine(item.question), by: 'agent' };
  if (item.kind === 'approve' && item.summary.trim() !== '')
    return { text: oneLine(item.summary), by: 'agent' };
  return { text: oneLine(item.question), by: 'signalbox' };
}
