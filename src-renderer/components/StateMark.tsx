import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { TaskState } from '../../src-shared/model/task.ts';
import { Icon, type GlyphName } from './Icon.tsx';

const MARKS: Readonly<Record<TaskState, { readonly glyph: GlyphName; readonly colour: string }>> = {
  draft: { glyph: 'off', colour: 't3' },
  ready: { glyph: 'free', colour: 't3' },
  running: { glyph: 'running', colour: 'c-run' },
  testing: { glyph: 'testing', colour: 'c-run' },
  awaiting_human: { glyph: 'waiting', colour: 'c-wait' },
  awaiting_approval: { glyph: 'waiting', colour: 'c-wait' },
  merging: { glyph: 'running', colour: 'c-run' },
  done: { glyph: 'tick', colour: 'c-ok' },
  failed: { glyph: 'cross', colour: 'c-stop' },
  cancelled: { glyph: 'off', colour: 't3' },
  parked: { glyph: 'parked', colour: 't2' },
};

/** A task's state as glyph, colour and word. */
export function StateMark({ state }: { state: TaskState }) {
  const { t } = useTranslation('states');
  const { glyph, colour } = MARKS[state];
  return (
    <span className={clsx('row state', colour)}>
      <Icon name={glyph} isSmall />
      <b>{t(state)}</b>
    </span>
  );
}
