import type { TaskNumber } from '../../../src-shared/ids.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';

/**
 * A task's title as the subject of a commit: one line that reads the same in every log. What a terminal or a web
 * page would interpret (control and bidirectional characters) stands as a visible mark, as on our own screens.
 */
export const commitSubject = (of: { readonly title: string; readonly taskNumber: TaskNumber }): string =>
  visibleLine(of.title.replace(/\s+/g, ' ').trim()) || `Task ${of.taskNumber}`;
