import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectView } from '../../../src-shared/api/project.ts';
import { useAsked } from '../../api/use-asked.ts';
import { useSummary } from '../../app/use-summary.ts';
import { ClaudeStep, isReady } from './ClaudeStep.tsx';
import { ProjectStep } from './ProjectStep.tsx';
import { StartStep } from './StartStep.tsx';

/** Three steps on one page, at the start and whenever a project is added. */
export function FirstRun() {
  const { t } = useTranslation('first');
  const summary = useSummary();
  const doctor = useAsked('hub.doctor', undefined);
  const [isClaudeSkipped, setClaudeSkipped] = useState(false);
  const [isProjectSkipped, setProjectSkipped] = useState(false);
  const [added, setAdded] = useState<ProjectView | null>(null);
  const hasProjects = (summary?.projects.length ?? 0) > 0;
  const isClaudeDone = isReady(doctor.data) || isClaudeSkipped;
  const isProjectDone = added !== null || isProjectSkipped;
  return (
    <main className="main" aria-label={t('title')}>
      <div className="first" tabIndex={0} role="region" aria-label={t('steps')} data-area="detail">
        <div>
          <h1>{hasProjects && added === null ? t('addTitle') : t('title')}</h1>
          <p className="t2 lead">{t('lead')}</p>
          <ClaudeStep doctor={doctor} isSkipped={isClaudeSkipped} onSkip={() => setClaudeSkipped(true)} />
          <ProjectStep
            state={added !== null ? 'done' : isClaudeDone && !isProjectSkipped ? 'now' : 'next'}
            added={added}
            onAdded={setAdded}
            onSkip={() => setProjectSkipped(true)}
          />
          <StartStep state={isClaudeDone && isProjectDone ? 'now' : 'next'} project={added?.name ?? null} />
        </div>
      </div>
    </main>
  );
}
