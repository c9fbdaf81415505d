import { memo, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  Decoration,
  Diff,
  getChangeKey,
  Hunk,
  type ChangeData,
  type RenderGutter,
  type RenderToken,
  type TokenNode,
  type ViewType,
} from 'react-diff-view';
import { useFormat } from '../../i18n/index.ts';
import { Icon } from '../Icon.tsx';
import { SafeText } from '../SafeText.tsx';
import { lineOf, type DiffFileData } from './diff-files.ts';
import type { LineNote } from './line-notes.ts';
import { lineTokens } from './line-tokens.ts';
import { NoteForm, NoteShown } from './NoteParts.tsx';

interface Props {
  readonly data: DiffFileData;
  readonly id: string;
  readonly view: ViewType;
  readonly isViewed: boolean;
  readonly onViewed: (isViewed: boolean) => void;
  /** Of this file; null where no notes are taken. */
  readonly notes: readonly LineNote[] | null;
  /** Key of the line on which a note is being written. */
  readonly writing: string | null;
  readonly onWrite: (key: string | null) => void;
  readonly onNote: (note: LineNote) => void;
}

function renderToken(token: TokenNode, index: number): ReactNode {
  if (token.type === 'text') return <SafeText key={index} text={String(token['value'])} />;
  if (token.type === 'edit') return <mark key={index}>{token.children?.map(renderToken)}</mark>;
  return <LineCut key={index} count={Number(token['count'])} />;
}
const renderLineToken: RenderToken = (token, _renderDefault, index) => renderToken(token, index);

function LineCut({ count }: { count: number }) {
  const { t } = useTranslation('diff');
  return <span className="cut">{t('longLine', { count })}</span>;
}

/** One file of a diff: its head, and below it the lines while it is open. A viewed one is closed. */
export const DiffFile = memo(function DiffFile(props: Props) {
  const { data, id, view, isViewed, onViewed } = props;
  const { t } = useTranslation('diff');
  const format = useFormat();
  /** What was chosen by hand; a mark closes or opens anew. */
  const [isOpenByHand, setOpenByHand] = useState<boolean | null>(null);
  const isOpen = isOpenByHand ?? !isViewed;
  const cut = data.path.lastIndexOf('/') + 1;
  return (
    <section className="file" data-file={id} aria-label={data.path}>
      <header>
        <button
          type="button"
          className="chevron"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'collapse' : 'expand', { path: data.path })}
          onClick={() => setOpenByHand(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} isSmall />
        </button>
        <span className="p clip">
          <i>
            <SafeText text={data.path.slice(0, cut)} />
          </i>
          <SafeText text={data.path.slice(cut)} />
        </span>
        <FileKind data={data} />
        <span className="sgn">
          {data.added > 0 && <span className="c-ok">+{format.number(data.added)}</span>}{' '}
          {data.removed > 0 && <span className="c-stop">−{format.number(data.removed)}</span>}
        </span>
        <span className="grow" />
        <label>
          <input
            type="checkbox"
            checked={isViewed}
            aria-label={t('viewedFile', { path: data.path })}
            onChange={(event) => {
              setOpenByHand(null);
              onViewed(event.target.checked);
            }}
          />
          {t('viewed')}
        </label>
      </header>
      {isOpen && <FileBody {...props} view={view} />}
    </section>
  );
});

function FileKind({ data: { file, oldPath, mode } }: Pick<Props, 'data'>) {
  const { t } = useTranslation('diff');
  const words =
    oldPath !== null
      ? t(file.type === 'copy' ? 'copied' : 'renamed', { path: oldPath })
      : file.type === 'add'
        ? t('newFile')
        : file.type === 'delete'
          ? t('deletedFile')
          : null;
  return (
    <>
      {words !== null && (
        <span className="small t2 clip">
          <SafeText text={words} />
        </span>
      )}
      {mode !== null && <span className="small t2">{t('mode', mode)}</span>}
    </>
  );
}

function FileBody(props: Props) {
  const { data } = props;
  const { t } = useTranslation('diff');
  const format = useFormat();
  const [isAsked, setAsked] = useState(false);
  if (data.isBinary) return <p className="file-note">{t('binary')}</p>;
  if (data.file.hunks.length === 0) return <p className="file-note">{t('noLines')}</p>;
  if (!data.isSmall && !isAsked) {
    return (
      <p className="file-note">
        {t('notShown', { lines: format.number(data.added + data.removed) })}{' '}
        <button type="button" className="link" onClick={() => setAsked(true)}>
          {t('showAnyway')}
        </button>
      </p>
    );
  }
  return <FileLines {...props} />;
}

function FileLines({ data, view, notes, writing, onWrite, onNote }: Props) {
  const { t } = useTranslation('diff');
  const { hunks } = data.file;
  const tokens = useMemo(() => lineTokens(hunks), [hunks]);
  const takesNotes = notes !== null;

  const widgets: Record<string, ReactNode> = {};
  if (takesNotes) {
    const noted = new Map(notes.map((note) => [note.key, note]));
    const keys = new Set([...noted.keys(), ...(writing === null ? [] : [writing])]);
    for (const change of hunks.flatMap((hunk) => hunk.changes)) {
      const key = getChangeKey(change);
      if (!keys.has(key)) continue;
      const note = noted.get(key);
      widgets[key] =
        writing === key ? (
          <NoteForm
            line={lineOf(change)}
            text={note?.text ?? ''}
            onCancel={() => onWrite(null)}
            onSave={(text) => {
              onNote(noteOn(data.path, change, text));
              onWrite(null);
            }}
          />
        ) : note === undefined ? null : (
          <NoteShown note={note} onEdit={() => onWrite(key)} onRemove={() => onNote({ ...note, text: '' })} />
        );
    }
  }

  const renderGutter: RenderGutter = ({ change, side, renderDefault }) => {
    const isPlace = side === (change.type === 'delete' ? 'old' : 'new');
    if (!takesNotes || !isPlace) return renderDefault();
    const line = lineOf(change);
    return (
      <button
        type="button"
        className="line"
        tabIndex={-1}
        data-note={getChangeKey(change)}
        aria-label={t(change.type === 'delete' ? 'addNoteOld' : 'addNote', { line })}
        onClick={() => onWrite(getChangeKey(change))}
      >
        {line}
      </button>
    );
  };

  return (
    <Diff
      viewType={view}
      diffType={data.file.type}
      hunks={hunks}
      tokens={tokens}
      widgets={widgets}
      renderToken={renderLineToken}
      renderGutter={renderGutter}
      optimizeSelection={view === 'split'}
    >
      {(shown) =>
        shown.flatMap((hunk) => [
          <Decoration key={`head ${hunk.content}`}>
            <div className="h">
              <SafeText text={hunk.content} />
            </div>
          </Decoration>,
          <Hunk key={hunk.content} hunk={hunk} />,
        ])
      }
    </Diff>
  );
}

const noteOn = (path: string, change: ChangeData, text: string): LineNote => ({
  path,
  key: getChangeKey(change),
  line: lineOf(change),
  isOld: change.type === 'delete',
  code: change.content,
  text,
});
