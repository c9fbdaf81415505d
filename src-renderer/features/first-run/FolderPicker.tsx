import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsked } from '../../api/use-asked.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';

interface Props {
  /** Where to begin; the person's home folder when null. */
  readonly start: string | null;
  readonly onChoose: (path: string) => void;
  readonly onClose: () => void;
}

/** Folders of the machine that the hub runs on, for choosing one. */
export function FolderPicker({ start, onChoose, onClose }: Props) {
  const { t } = useTranslation(['first', 'app']);
  const returnFocus = useReturnFocus();
  const [path, setPath] = useState(start);
  const { data, error, refetch } = useAsked('files.folders', path === null ? {} : { path }, {
    keepPrevious: true,
    isFresh: true,
  });
  const open = (next: string | null): void => setPath(next);
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
          className="dialog floating wide-dialog picker"
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Dialog.Title asChild>
            <h2>{t('chooseFolder')}</h2>
          </Dialog.Title>
          {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
          {error !== null && path !== null && (
            <button type="button" className="btn" onClick={() => open(null)}>
              {t('home')}
            </button>
          )}
          {data === undefined && error === null && <Loading rows={5} />}
          {data !== undefined && error === null && (
            <>
              <div className="row picker-head">
                <button
                  type="button"
                  className="btn"
                  disabled={data.parent === null}
                  onClick={() => open(data.parent)}
                >
                  {t('up')}
                </button>
                <button type="button" className="btn quiet" onClick={() => open(data.home)}>
                  {t('home')}
                </button>
                <code className="clip" aria-live="polite">
                  <SafeLine text={data.path} most={1000} />
                </code>
              </div>
              <ul className="folders" aria-label={t('folders')}>
                {data.folders.map((folder) => (
                  <li key={folder.path}>
                    <button type="button" onClick={() => open(folder.path)}>
                      <Icon name="folder" />
                      <SafeLine text={folder.name} />
                      {folder.isRepository && <span className="small c-ok">{t('repository')}</span>}
                      <span className="grow" />
                      <Icon name="right" isSmall />
                    </button>
                  </li>
                ))}
                {data.folders.length === 0 && <li className="t3 none">{t('noFolders')}</li>}
              </ul>
              {data.isCut && <p className="small t3">{t('folderListCut')}</p>}
            </>
          )}
          <div className="acts">
            <button type="button" className="btn quiet" onClick={onClose}>
              {t('app:cancel')}
            </button>
            <button
              type="button"
              className="btn primary"
              disabled={data === undefined || error !== null}
              onClick={() => data !== undefined && onChoose(data.path)}
            >
              {data?.isRepository === true ? t('useRepository') : t('useFolder')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
