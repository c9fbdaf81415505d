import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { droppedText } from './dropped-text.ts';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

/** A task for a project; text files that are dropped or pasted become part of the description. */
export function AddTaskDialog({ project, onClose }: Props) {
  const { t } = useTranslation(['board', 'app']);
  const { say } = useToast();
  const returnFocus = useReturnFocus();
  const add = useAction('task.add');
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const take = async (files: FileList): Promise<void> => {
    const { text, refused } = await droppedText([...files]);
    setDescription((before) => [before, text].filter((part) => part !== '').join('\n\n'));
    setProblem(refused.length === 0 ? null : t('refusedFiles', { names: refused.join(', ') }));
  };
  const submit = (draft: boolean): void => {
    if (title.trim() === '') {
      setProblem(t('needsTitle'));
      return;
    }
    add.mutate(
      { project, title, description, draft },
      {
        onSuccess: (task) => {
          say(t('added', { number: task.number }));
          onClose();
        },
        onError: (error) => setProblem([error.message, error.hint].filter(Boolean).join(' ')),
      },
    );
  };

  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog floating wide-dialog"
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Dialog.Title asChild>
            <h2>{t('addTaskTo', { project })}</h2>
          </Dialog.Title>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit(false);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                submit(false);
              }
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              if (event.dataTransfer.files.length === 0) return;
              event.preventDefault();
              void take(event.dataTransfer.files);
            }}
            onPaste={(event) => {
              if (event.clipboardData.files.length === 0) return;
              event.preventDefault();
              void take(event.clipboardData.files);
            }}
          >
            <label htmlFor="task-title">{t('title')}</label>
            <input
              id="task-title"
              className="field"
              value={title}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setTitle(event.target.value)}
            />
            <label htmlFor="task-description">{t('description')}</label>
            <textarea
              id="task-description"
              className="ta tall"
              value={description}
              placeholder={t('descriptionHint')}
              onChange={(event) => setDescription(event.target.value)}
            />
            {problem !== null && (
              <p className="c-stop small" role="alert">
                {problem}
              </p>
            )}
            <div className="acts">
              <button type="button" className="btn quiet" onClick={onClose}>
                {t('app:cancel')}
              </button>
              <button type="button" className="btn" disabled={add.isPending} onClick={() => submit(true)}>
                {t('saveDraft')}
              </button>
              <button type="submit" className="btn primary" disabled={add.isPending}>
                {t('addReady')}
              </button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
