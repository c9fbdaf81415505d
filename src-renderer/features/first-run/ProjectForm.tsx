import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { InspectProjectView } from '../../../src-shared/api/machine.ts';
import type { ProjectView } from '../../../src-shared/api/project.ts';
import { shellWords } from '../../../src-shared/shell-word.ts';
import { useAction } from '../../api/api.tsx';
import { useAsked } from '../../api/use-asked.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { Segments } from '../../components/Segments.tsx';
import { isMac, keyOf } from '../../hooks/use-keys.ts';
import { commandWords } from './command-words.ts';
import { CommandField } from './CommandField.tsx';

interface Props {
  readonly path: string;
  /** The button that leaves the step. */
  readonly skip: ReactNode;
  readonly onAdded: (project: ProjectView) => void;
}

/** What was found in the folder, and what the project will use of it. */
export function ProjectForm({ path, skip, onAdded }: Props) {
  const { data, error, refetch } = useAsked('project.inspect', { path }, { isFresh: true });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={2} />;
  if (data.problem !== null || data.repository === null) {
    return (
      <div className="failed inspect-problem" role="alert">
        <Icon name="review" />
        <div>
          <p className="strong">
            <SafeLine text={data.problem?.message ?? ''} most={500} />
          </p>
          {data.problem !== null && data.problem.fix !== null && (
            <p className="t2">
              <SafeLine text={data.problem.fix} most={500} />
            </p>
          )}
          <div className="row">
            <LookAgain onLook={() => void refetch()} />
            {skip}
          </div>
        </div>
      </div>
    );
  }
  return <Found found={data} repository={data.repository} skip={skip} onAdded={onAdded} />;
}

function LookAgain({ onLook }: { onLook: () => void }) {
  const { t } = useTranslation('first');
  return (
    <button type="button" className="btn" onClick={onLook}>
      {t('checkAgain')}
    </button>
  );
}

interface FoundProps {
  readonly found: InspectProjectView;
  readonly repository: NonNullable<InspectProjectView['repository']>;
  readonly skip: ReactNode;
  readonly onAdded: (project: ProjectView) => void;
}

function Found({ found, repository, skip, onAdded }: FoundProps) {
  const { t } = useTranslation('first');
  const add = useAction('project.add');
  const [name, setName] = useState(repository.name);
  const [base, setBase] = useState(repository.baseBranch);
  const first = (suggestions: InspectProjectView['testCommands']): string =>
    suggestions[0] === undefined ? '' : shellWords(suggestions[0].command);
  const [test, setTest] = useState(() => first(found.testCommands));
  const [setup, setSetup] = useState(() => first(found.setupCommands));
  const [dataClass, setDataClass] = useState<'synthetic' | 'real'>('synthetic');
  const [problem, setProblem] = useState<string | null>(null);
  const branches = repository.branches.includes(repository.baseBranch)
    ? repository.branches
    : [repository.baseBranch, ...repository.branches];

  const submit = (): void => {
    const [testCommand, setupCommand] = [commandWords(test), commandWords(setup)];
    if (testCommand === null || setupCommand === null) {
      setProblem(t('openQuote'));
      return;
    }
    add.mutate(
      {
        path: repository.root,
        name,
        base,
        settings: {
          dataClass,
          ...(testCommand.length === 0 ? {} : { testCommand }),
          ...(setupCommand.length === 0 ? {} : { setupCommand }),
        },
      },
      {
        onSuccess: onAdded,
        onError: (error) => setProblem([error.message, error.hint].filter(Boolean).join(' ')),
      },
    );
  };
  const state =
    repository.isClean === true ? t('clean') : t('changed', { count: repository.changedFiles ?? 0 });
  return (
    <form
      className="found"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (keyOf(event.nativeEvent) !== 'Mod+Enter') return;
        event.preventDefault();
        submit();
      }}
    >
      {repository.registeredAs !== null && (
        <p className="c-wait row" role="status">
          <Icon name="review" />
          {t('registered', { name: repository.registeredAs })}
        </p>
      )}
      <div className="fr">
        <label className="t2" htmlFor="project-name">
          {t('name')}
        </label>
        <input
          id="project-name"
          className="field"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <span />
      </div>
      <div className="fr">
        <span className="t2">{t('git')}</span>
        <span className="row check-line">
          <span className="c-ok">
            <Icon name="tick" />
          </span>
          {t('repositoryState', { state: repository.changedFiles === null ? t('unknownState') : state })}
        </span>
        <select
          className="field"
          aria-label={t('base')}
          value={base}
          onChange={(event) => setBase(event.target.value)}
        >
          {branches.map((branch) => (
            <option key={branch}>{branch}</option>
          ))}
        </select>
      </div>
      <CommandField
        id="project-test"
        label={t('testCommand')}
        none={t('noTestCommand')}
        value={test}
        suggestions={found.testCommands}
        onChange={setTest}
      />
      <CommandField
        id="project-setup"
        label={t('setupCommand')}
        none={t('noSetupCommand')}
        value={setup}
        suggestions={found.setupCommands}
        onChange={setSetup}
      />
      <div className="fr">
        <span className="t2">{t('data')}</span>
        <Segments
          name={t('data')}
          value={dataClass}
          choices={(['synthetic', 'real'] as const).map((value) => ({ value, text: t(`data_${value}`) }))}
          onChoose={setDataClass}
        />
        <span className="small t3">{t(`data_${dataClass}_note`)}</span>
      </div>
      {repository.notices.length > 0 && (
        <ul className="notices small t2">
          {repository.notices.map((notice) => (
            <li key={notice}>
              <SafeLine text={notice} most={500} />
            </li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <p className="c-stop" role="alert">
          {problem}
        </p>
      )}
      <div className="row step-acts">
        <button
          type="submit"
          className="btn lg primary"
          disabled={add.isPending || name.trim() === '' || repository.registeredAs !== null}
        >
          {t('addProject')}
          <kbd className="key" aria-hidden="true">
            {isMac ? '⌘ Enter' : 'Ctrl Enter'}
          </kbd>
        </button>
        {skip}
      </div>
    </form>
  );
}
