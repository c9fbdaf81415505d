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

/** Every key and what it does. */
export function KeyList() {
  const { t } = useTranslation('keys');
  return (
    <dl className="key-list">
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
  );
}
