import type { TimelineRow } from './timeline-rows.ts';

/** Lines of one line of text. */
const LINE_PX = 28;
const ASKED_PX = 54;
const SAID_PX = 39;
const SAID_LINE_PX = 20;
/** About what fits beside the aside. */
const CHARS_PER_LINE = 78;
const MOST_SAID_LINES = 12;
const CHANGE_PX = 6;
const CHANGE_LINE_PX = 20;
const MOST_CHANGE_LINES = 6;

function linesOf(text: string): number {
  let lines = 0;
  for (const line of text.split('\n', MOST_SAID_LINES))
    lines += Math.max(1, Math.ceil(line.length / CHARS_PER_LINE));
  return Math.min(lines, MOST_SAID_LINES);
}

/**
 * How high a line of the timeline will be, in px, before it was drawn. The nearer to the truth, the less is laid out a
 * second time when it is (task.css has the figures).
 */
export function likelyHeight(row: TimelineRow | undefined): number {
  if (row?.kind === 'asked') return ASKED_PX;
  if (row?.kind === 'said') return SAID_PX + (linesOf(row.event.text) - 1) * SAID_LINE_PX;
  if (row?.kind === 'tool' && row.event.change !== null && row.event.change.lines.length > 0)
    return LINE_PX + CHANGE_PX + Math.min(row.event.change.lines.length, MOST_CHANGE_LINES) * CHANGE_LINE_PX;
  return LINE_PX;
}
