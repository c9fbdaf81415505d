import clsx from 'clsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewType } from 'react-diff-view';
import { useKept } from '../../hooks/use-kept.ts';
import { useFormat } from '../../i18n/index.ts';
import { Icon } from '../Icon.tsx';
import { Output } from '../Output.tsx';
import { SafeText } from '../SafeText.tsx';
import { DiffFile } from './DiffFile.tsx';
import { filesOf } from './diff-files.ts';
import { withNote, type LineNote } from './line-notes.ts';
import { useFileKeys } from './use-file-keys.ts';

interface Props {
  /** As git prints it; untrusted. */
  readonly diff: string;
  readonly title: string;
  /** Names the marks of this work among those that are kept. */
  readonly keptAs: string;
  readonly empty: string;
  /** Absent where no notes are taken. */
  readonly notes?: readonly LineNote[];
  readonly onNotes?: (notes: readonly LineNote[]) => void;
}

/** Below this the two halves of a split diff are too narrow to read (DESIGN 4). */
const SPLIT_FROM = 672;
/** By path, the stamp of the content that was viewed. */
type Marks = Readonly<Record<string, string>>;
const NO_MARKS: Marks = {};
const NO_NOTES: readonly LineNote[] = [];

/** Changed files one below the other, with marks for what was looked at and notes on lines. */
export function DiffView({ diff, title, keptAs, empty, notes, onNotes }: Props) {
  const { t } = useTranslation('diff');
  const format = useFormat();
  const files = useMemo(() => filesOf(diff), [diff]);
  const [marks, setMarks] = useKept<Marks>(`viewed.${keptAs}`, NO_MARKS);
  const [wanted, setWanted] = useKept<ViewType>('diff-view', 'unified');
  const [writing, setWriting] = useState<{ readonly path: string; readonly key: string } | null>(null);
  const [section, width] = useWidth();
  const canSplit = width >= SPLIT_FROM;
  const view = canSplit ? wanted : 'unified';
  const isViewed = (path: string, stamp: string): boolean => marks[path] === stamp;
  const mark = (path: string, stamp: string, isOn: boolean): void => {
    const { [path]: _gone, ...rest } = marks;
    setMarks(isOn ? { ...rest, [path]: stamp } : rest);
  };
  const active = useFileKeys(section, {
    onViewed: (index) => {
      const file = files?.[index];
      if (file !== undefined) mark(file.path, file.stamp, !isViewed(file.path, file.stamp));
    },
    onNote: (index, key) => {
      const file = files?.[index];
      if (file !== undefined && notes !== undefined) setWriting({ path: file.path, key });
    },
  });

  if (files === null) {
    return (
      <section className="sec">
        <h2>{title}</h2>
        <p className="small t2">{t('unreadable')}</p>
        <Output text={diff} label={title} />
      </section>
    );
  }
  const viewed = files.filter((file) => isViewed(file.path, file.stamp)).length;
  return (
    <section className="sec changes" ref={section} aria-label={title}>
      <div className="row changes-head">
        <h2 className="strong">{title}</h2>
        {files.length > 0 && (
          <span className="small t2">
            {t('viewedOf', { viewed: format.number(viewed), count: files.length })}
          </span>
        )}
        <span className="grow" />
        {files.length > 0 && canSplit && (
          <div className="seg" role="group" aria-label={t('layout')}>
            {(['unified', 'split'] as const).map((each) => (
              <button
                key={each}
                type="button"
                className={clsx(view === each && 'on')}
                aria-pressed={view === each}
                onClick={() => setWanted(each)}
              >
                {t(each)}
              </button>
            ))}
          </div>
        )}
      </div>
      {files.length === 0 && <p className="small t2">{empty}</p>}
      <div className={clsx(files.length > 1 && 'has-files')}>
        {files.length > 1 && (
          <nav className="files-aside" aria-label={t('files')}>
            <ul>
              {files.map((file, index) => (
                <li key={file.path} className={clsx(active.index === index && 'on')}>
                  <button type="button" onClick={() => active.goTo(index)}>
                    <Icon name={isViewed(file.path, file.stamp) ? 'tick' : 'file'} isSmall />
                    <span className="clip grow">
                      <SafeText text={file.path} />
                    </span>
                    {file.added > 0 && <span className="sgn c-ok">+{format.number(file.added)}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div>
          {files.map((file, index) => (
            <DiffFile
              key={`${index} ${file.path}`}
              data={file}
              id={String(index)}
              view={view}
              isViewed={isViewed(file.path, file.stamp)}
              onViewed={(isOn) => mark(file.path, file.stamp, isOn)}
              notes={notes === undefined ? null : ofFile(notes, file.path)}
              writing={writing?.path === file.path ? writing.key : null}
              onWrite={(key) => setWriting(key === null ? null : { path: file.path, key })}
              onNote={(note) => onNotes?.(withNote(notes ?? NO_NOTES, note))}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

const ofFile = (notes: readonly LineNote[], path: string): readonly LineNote[] =>
  notes.filter((note) => note.path === path);

/** Width in CSS pixels, kept true. */
function useWidth(): readonly [React.RefObject<HTMLElement | null>, number] {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
