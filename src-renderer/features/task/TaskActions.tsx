import clsx from 'clsx';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { useAction, useConnection } from '../../api/api.tsx';
import type { CallError } from '../../api/transport.ts';
import { useToast } from '../../app/Toast.tsx';
import { Confirm } from '../../components/Confirm.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu } from '../../components/Menu.tsx';
import { useCopy } from '../../hooks/use-copy.ts';

/** How long a first press waits for the second. */
const ARMED_MS = 3000;
const STOPPABLE: ReadonlySet<TaskView['state']> = new Set(['running', 'testing']);
const RESUMABLE: ReadonlySet<TaskView['state']> = new Set(['parked', 'failed', 'cancelled']);

interface Props {
  readonly task: TaskView;
  readonly isAloud: boolean;
  readonly onAloud: (isAloud: boolean) => void;
}

/** What can be done with a task in its state. */
export function TaskActions({ task, isAloud, onAloud }: Props) {
  const { t } = useTranslation('task');
  const { say } = useToast();
  const onError = ({ message, hint }: CallError): void => say([message, hint].filter(Boolean).join(' '));
  const isOffline = useConnection() === 'lost';
  const interrupt = useAction('task.interrupt');
  const cancel = useAction('task.cancel');
  const retry = useAction('task.retry');
  const submit = useAction('task.submit');
  const [isArmed, setArmed] = useState(false);
  const timer = useRef<number | null>(null);
  useEffect(() => () => void (timer.current !== null && window.clearTimeout(timer.current)), []);
  const copy = useCopy();
  const input = { task: task.id };
  const isOver = task.state === 'done' || task.state === 'cancelled' || task.state === 'failed';
  return (
    <>
      {task.openItems.map((number) => (
        <Link key={number} className="btn" href={`/inbox/${number}`}>
          <Icon name="waiting" isSmall />
          {t('item', { number })}
        </Link>
      ))}
      {STOPPABLE.has(task.state) && (
        <button
          type="button"
          className={clsx('btn', isArmed && 'fill-stop')}
          disabled={interrupt.isPending || isOffline}
          onClick={() => {
            if (timer.current !== null) window.clearTimeout(timer.current);
            if (isArmed) {
              setArmed(false);
              interrupt.mutate(input, { onError });
              return;
            }
            setArmed(true);
            timer.current = window.setTimeout(() => setArmed(false), ARMED_MS);
          }}
        >
          {isArmed ? t('interruptAgain') : t('interrupt')}
        </button>
      )}
      {task.state === 'draft' && (
        <button
          type="button"
          className="btn primary"
          disabled={isOffline || submit.isPending}
          onClick={() => submit.mutate(input, { onError })}
        >
          {t('submit')}
        </button>
      )}
      {RESUMABLE.has(task.state) && (
        <button
          type="button"
          className="btn"
          disabled={isOffline || retry.isPending}
          onClick={() => retry.mutate(input, { onError })}
        >
          {t('resume')}
        </button>
      )}
      {!isOver && (
        <Confirm
          title={t('cancelTitle')}
          text={t('cancelText')}
          act={t('cancelTask')}
          onConfirm={() => cancel.mutate(input, { onError })}
        >
          <button type="button" className="btn" disabled={isOffline || cancel.isPending}>
            {t('cancelTask')}
          </button>
        </Confirm>
      )}
      <Menu label={t('moreActions')} isOutlined>
        <DropdownMenu.CheckboxItem checked={isAloud} onCheckedChange={onAloud}>
          {t('readAloud')}
          <DropdownMenu.ItemIndicator className="k">
            <Icon name="tick" isSmall />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.CheckboxItem>
        {RESUMABLE.has(task.state) && (
          <DropdownMenu.Item
            disabled={isOffline}
            onSelect={() => retry.mutate({ ...input, fresh: true }, { onError })}
          >
            {t('startAfresh')}
          </DropdownMenu.Item>
        )}
        {task.sessionId !== null && (
          <DropdownMenu.Item onSelect={() => void copy(task.sessionId ?? '')}>
            {t('copySession')}
          </DropdownMenu.Item>
        )}
        {task.branch !== null && (
          <DropdownMenu.Item onSelect={() => void copy(task.branch ?? '')}>
            {t('copyBranch')}
          </DropdownMenu.Item>
        )}
        {task.worktree !== null && (
          <DropdownMenu.Item onSelect={() => void copy(task.worktree ?? '')}>
            {t('copyWorktree')}
          </DropdownMenu.Item>
        )}
      </Menu>
    </>
  );
}
