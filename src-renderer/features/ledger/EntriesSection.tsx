import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LEDGER_FAMILIES, LEDGER_KINDS } from '../../../src-shared/model/ledger-kinds.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useFormat } from '../../i18n/index.ts';
import { EntriesTable } from './EntriesTable.tsx';
import { startOfDay } from './range.ts';
import { useEntries } from './use-entries.ts';

const FIRST = 500;
/** As much as `ledger.list` gives at once. */
const MOST = 10_000;

/** Every entry, the newest first, with filters. */
export function EntriesSection({ project }: { project: string | null }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const [kind, setKind] = useState('');
  const [typedTask, setTypedTask] = useState('');
  const [task, setTask] = useState('');
  const [since, setSince] = useState('');
  const [limit, setLimit] = useState(FIRST);
  const [isFollowing, setFollowing] = useState(true);
  const start = startOfDay(since);
  const { loaded, error, retry } = useEntries(
    {
      ...(project === null ? {} : { project }),
      ...(kind === '' ? {} : { kind }),
      ...(task === '' ? {} : { task }),
      ...(start === null ? {} : { since: start.toISOString() }),
    },
    limit,
    isFollowing,
  );
  const isFiltered = kind !== '' || task !== '' || since !== '';
  const clear = (): void => {
    setKind('');
    setTask('');
    setTypedTask('');
    setSince('');
  };
  return (
    <section className="entries" aria-labelledby="entries-title">
      <h2 id="entries-title" className="h2">
        {t('entries')}
        {loaded !== null && (
          <span>
            {t(loaded.isCut ? 'entriesNewest' : 'entriesCount', {
              count: loaded.entries.length,
              entries: format.number(loaded.entries.length),
            })}
          </span>
        )}
      </h2>
      <form
        className="entry-filters"
        onSubmit={(event) => {
          event.preventDefault();
          setTask(typedTask.trim());
        }}
      >
        <label>
          {t('filterKind')}
          <select className="field" value={kind} onChange={(event) => setKind(event.target.value)}>
            <option value="">{t('allKinds')}</option>
            {LEDGER_FAMILIES.map((family) => (
              <optgroup key={family} label={family.slice(0, -1)}>
                <option value={family}>{t('allOf', { family: family.slice(0, -1) })}</option>
                {LEDGER_KINDS.filter((each) => each.startsWith(family)).map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          {t('filterTask')}
          <input
            className="field short"
            inputMode="numeric"
            autoComplete="off"
            value={typedTask}
            onChange={(event) => setTypedTask(event.target.value)}
            onBlur={() => setTask(typedTask.trim())}
          />
        </label>
        <label>
          {t('filterSince')}
          <input
            type="date"
            className="field"
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        </label>
        {isFiltered && (
          <button type="button" className="btn quiet" onClick={clear}>
            {t('clearFilters')}
          </button>
        )}
        <span className="grow" />
        <span className="row small">
          {t('follow')}
          <Switch name={t('follow')} isOn={isFollowing} onChange={setFollowing} />
        </span>
      </form>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={retry} />
      ) : loaded === null ? (
        <Loading rows={4} />
      ) : loaded.entries.length === 0 ? (
        <p className="small t3 none">{t('noEntries')}</p>
      ) : (
        <EntriesTable entries={loaded.entries} />
      )}
      {loaded?.isCut === true && (
        <p className="small t3 row more">
          {limit < MOST ? (
            <button
              type="button"
              className="btn"
              onClick={() => setLimit((before) => Math.min(MOST, before * 5))}
            >
              {t('loadOlder')}
            </button>
          ) : (
            t('olderBySince', { most: format.number(MOST) })
          )}
        </p>
      )}
    </section>
  );
}
