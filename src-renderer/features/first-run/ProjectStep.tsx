import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectView } from '../../../src-shared/api/project.ts';
import { Icon } from '../../components/Icon.tsx';
import { droppedPath } from './dropped-path.ts';
import { FolderPicker } from './FolderPicker.tsx';
import { ProjectForm } from './ProjectForm.tsx';
import { Step } from './Step.tsx';

interface Props {
  readonly state: 'done' | 'now' | 'next';
  /** The one that was added here. */
  readonly added: ProjectView | null;
  readonly onAdded: (project: ProjectView) => void;
  readonly onSkip: () => void;
}

/** A folder with a repository becomes a project. */
export function ProjectStep({ state, added, onAdded, onSkip }: Props) {
  const { t } = useTranslation('first');
  const [typed, setTyped] = useState('');
  const [path, setPath] = useState<string | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [isOver, setOver] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const take = (next: string): void => {
    setNote(null);
    setTyped(next);
    setPath(next.trim() === '' ? null : next.trim());
  };

  const skip = state === 'now' && (
    <button type="button" className="btn lg quiet" onClick={onSkip}>
      {t('skip')}
    </button>
  );
  if (state === 'done' && added !== null) {
    return (
      <Step number={2} title={t('project')} state="done">
        <p className="t2">
          {t('projectAdded', { name: added.name, branch: added.baseBranch })} <code>{added.path}</code>
        </p>
      </Step>
    );
  }
  return (
    <Step number={2} title={t('project')} state={state}>
      <p className="t2">{t('projectText')}</p>
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = droppedPath(event.dataTransfer);
          if (dropped !== null) {
            take(dropped);
            return;
          }
          setNote(t('dropUnknown'));
          setPicking(true);
        }}
      >
        <span>{t('drop')}</span>
        <button type="button" className="btn" onClick={() => setPicking(true)}>
          <Icon name="folder" />
          {t('chooseFolder')}
        </button>
      </div>
      {note !== null && (
        <p className="small t2" role="status">
          {note}
        </p>
      )}
      <form
        className="row folder-field"
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <label htmlFor="project-folder">{t('folder')}</label>
        <input
          id="project-folder"
          className="field mono"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('folderHint')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => take(typed)}
        />
        <button type="submit" className="btn">
          {t('look')}
        </button>
      </form>
      {path !== null && <ProjectForm key={path} path={path} skip={skip} onAdded={onAdded} />}
      {path === null && skip}
      {isPicking && (
        <FolderPicker
          start={path}
          onClose={() => setPicking(false)}
          onChoose={(chosen) => {
            setPicking(false);
            take(chosen);
          }}
        />
      )}
    </Step>
  );
}
