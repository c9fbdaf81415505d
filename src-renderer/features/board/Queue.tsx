import clsx from 'clsx';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { BoardQueueView } from '../../../src-shared/api/board.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu } from '../../components/Menu.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { idBefore } from './queue-order.ts';

interface Props {
  readonly tasks: readonly BoardQueueView[];
  /** Length of the whole queue, of which `tasks` is the beginning. */
  readonly all: number;
}

/** Ready tasks in the order they start; moved by dragging, or with Alt and the arrows. */
export function Queue({ tasks, all }: Props) {
  const { t } = useTranslation('board');
  const format = useFormat();
  const now = useNow();
  const { say } = useToast();
  const [, navigate] = useLocation();
  const move = useAction('task.move');
  const cancel = useAction('task.cancel');
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);

  const moveTo = (from: number, to: number): void => {
    const task = tasks[from];
    if (task === undefined || to < 0 || to >= tasks.length || from === to) return;
    // The last one that is shown need not be the last of the queue.
    const before = idBefore(
      tasks.map(({ id }) => id),
      from,
      to,
    );
    if (before === null && all > tasks.length) return;
    move.mutate(
      { task: task.id, before },
      {
        onSuccess: () => say(t('moved', { title: task.title, place: to + 1 })),
        onError: (error) => say(error.message),
      },
    );
  };

  return (
    <div className="queue">
      <ol>
        {tasks.map((task, index) => (
          <li
            key={task.id}
            data-task={task.number}
            className={clsx(
              dragged === index && 'dragged',
              over === index &&
                dragged !== null &&
                dragged !== index &&
                (dragged < index ? 'below' : 'above'),
            )}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', String(task.number));
              setDragged(index);
            }}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setOver(index);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) moveTo(dragged, index);
              setDragged(null);
              setOver(null);
            }}
          >
            <button
              type="button"
              className="grip"
              aria-label={t('moveTask', { title: task.title })}
              title={t('moveHint')}
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
                event.preventDefault();
                moveTo(index, index + (event.key === 'ArrowUp' ? -1 : 1));
              }}
            >
              <Icon name="grip" isSmall />
            </button>
            <span className="t3">{index + 1}</span>
            <Link className="grow clip" href={`/task/${task.number}`}>
              <SafeLine text={task.title} />
            </Link>
            <span className="t3">
              {t('ready', { length: format.length(now - Date.parse(task.readySince)) })}
            </span>
            <Menu label={t('taskMenu', { title: task.title })}>
              <DropdownMenu.Item onSelect={() => navigate(`/task/${task.number}`)}>
                {t('openTask')}
              </DropdownMenu.Item>
              <DropdownMenu.Item
                className="c-stop"
                onSelect={() => cancel.mutate({ task: task.id }, { onError: (error) => say(error.message) })}
              >
                {t('cancelTask')}
              </DropdownMenu.Item>
            </Menu>
          </li>
        ))}
      </ol>
      {all > tasks.length && <p className="small t3">{t('more', { count: all - tasks.length })}</p>}
    </div>
  );
}
