import { Dialog } from 'radix-ui';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { isMac } from '../hooks/use-keys.ts';

const mod = isMac ? '⌘' : 'Ctrl';

/** By the word for what they do; an inner list is pressed one after the other. */
const KEYS = [
  ['kill', [`${mod} Shift K`]],
  ['palette', [`${mod} K`]],
  ['items', ['j', 'k', '↓', '↑']],
  ['enter', ['Enter', 'Esc']],
  ['digits', ['1', '…', '9']],
  ['primary', [`${mod} Enter`]],
  ['reply', ['r']],
  ['back', ['b', 'x']],
  ['undo', ['z']],
  ['files', ['n', 'p']],
  ['viewed', ['v', 'c']],
  ['task', ['o']],
  ['go', ['g i', 'g b', 'g l', 'g s']],
  ['latest', ['End']],
  ['area', ['F6']],
  ['help', ['?']],
] as const;

/** Every key of the window in one list. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('keys');
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog floating keys" aria-describedby={undefined}>
          <Dialog.Title asChild>
            <h2>{t('title')}</h2>
          </Dialog.Title>
          <dl>
            {KEYS.map(([what, keys]) => (
              <Fragment key={what}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key} className="key">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{t(what)}</dd>
              </Fragment>
            ))}
          </dl>
          <div className="acts">
            <button type="button" className="btn" onClick={onClose}>
              {t('close')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
