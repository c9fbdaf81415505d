import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ItemView } from '../../src-shared/api/item.ts';
import type { TaskView } from '../../src-shared/api/task.ts';
import { useAction, useCall } from '../api/api.tsx';
import { Icon, type GlyphName } from '../components/Icon.tsx';
import { SafeLine } from '../components/SafeText.tsx';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { matching } from './palette-matches.ts';
import { byName, useSummary } from './use-summary.ts';

const PLACES = ['inbox', 'board', 'ledger', 'settings'] as const satisfies readonly GlyphName[];
const wordsOfItem = (item: ItemView): string => `#${item.number} ${item.taskTitle ?? item.question}`;
const wordsOfTask = (task: TaskView): string => `${task.number} ${task.title} ${task.project}`;

/** Everything that can be gone to or done, by typing. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['palette', 'app']);
  const returnFocus = useReturnFocus();
  const [, navigate] = useLocation();
  const summary = useSummary();
  const [typed, setTyped] = useState('');
  const { data: items } = useCall('inbox.list', {});
  const { data: tasks } = useCall('task.list', {});
  const itemsShown = useMemo(() => matching(items ?? [], typed, wordsOfItem), [items, typed]);
  // The newest first: what is looked for is rarely the first task of all.
  const newest = useMemo(() => tasks?.toReversed() ?? [], [tasks]);
  const tasksShown = useMemo(() => matching(newest, typed, wordsOfTask), [newest, typed]);
  const kill = useAction('hub.kill');
  const pause = useAction('hub.pause');
  const unpause = useAction('hub.unpause');
  const backup = useAction('hub.backup');

  const go = (place: string) => () => {
    onClose();
    navigate(place);
  };
  const act = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="palette"
          aria-label={t('app:search')}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Command label={t('app:search')}>
            <Command.Input placeholder={t('placeholder')} value={typed} onValueChange={setTyped} />
            <Command.List>
              <Command.Empty>{t('none')}</Command.Empty>
              <Command.Group heading={t('places')}>
                {PLACES.map((place) => (
                  <Command.Item key={place} onSelect={go(`/${place}`)}>
                    <Icon name={place} />
                    {t(`app:${place}`)}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={t('commands')}>
                {summary?.killed === null && (
                  <Command.Item onSelect={act(() => kill.mutate({ reason: '' }))}>
                    <Icon name="kill" />
                    {t('kill')}
                  </Command.Item>
                )}
                <Command.Item onSelect={act(() => (summary?.paused === true ? unpause : pause).mutate({}))}>
                  <Icon name="parked" />
                  {summary?.paused === true ? t('unpause') : t('pause')}
                </Command.Item>
                <Command.Item onSelect={act(() => backup.mutate())}>
                  <Icon name="export" />
                  {t('backup')}
                </Command.Item>
                <Command.Item onSelect={go('/first-run')}>
                  <Icon name="folder" />
                  {t('addProject')}
                </Command.Item>
              </Command.Group>
              <Command.Group heading={t('waiting')}>
                {itemsShown.map((item) => (
                  <Command.Item
                    key={item.number}
                    value={wordsOfItem(item)}
                    onSelect={go(`/inbox/${item.number}`)}
                  >
                    <Icon name="waiting" />#{item.number} <SafeLine text={item.taskTitle ?? item.question} />
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={t('app:projects')}>
                {byName(summary?.projects ?? []).map((project) => (
                  <Command.Item key={project.id} value={project.name} onSelect={go('/board')}>
                    <Icon name="board" />
                    <SafeLine text={project.name} />
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={t('tasks')}>
                {tasksShown.map((task) => (
                  <Command.Item key={task.id} value={wordsOfTask(task)} onSelect={go(`/task/${task.number}`)}>
                    <Icon name="file" />
                    {task.number} <SafeLine text={task.title} />
                    <span className="t3">{task.project}</span>
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
