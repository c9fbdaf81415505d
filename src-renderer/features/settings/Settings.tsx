import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useCall } from '../../api/api.tsx';
import { useAsked } from '../../api/use-asked.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { CapsSection } from './CapsSection.tsx';
import { ClaudeSection } from './ClaudeSection.tsx';
import { DataSection } from './DataSection.tsx';
import { sortChecks } from './doctor-checks.ts';
import { GeneralSection } from './GeneralSection.tsx';
import { HubSection } from './HubSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PolicySection } from './PolicySection.tsx';
import { ShortcutsSection } from './ShortcutsSection.tsx';

const SECTIONS = [
  'claude',
  'notifications',
  'caps',
  'general',
  'shortcuts',
  'policy',
  'data',
  'about',
] as const;
type Section = (typeof SECTIONS)[number];
const isSection = (text: string | null): text is Section => SECTIONS.some((each) => each === text);
const headingId = (section: Section): string => `settings-${section}`;
/** How far below the top a heading may be and still be the one that is read. */
const READ_PX = 80;
/** Free above a heading that was gone to. */
const ABOVE_PX = 12;

/** Everything that can be set, in one scroll with a list of its sections that follows. */
export function Settings({ section }: { section: string | null }) {
  const { t } = useTranslation(['settings', 'app']);
  const settings = useCall('settings.show', undefined);
  const policy = useCall('settings.policy', undefined);
  const doctor = useAsked('hub.doctor', undefined);
  const box = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<Section>('claude');
  const isThere = settings.data !== undefined && policy.data !== undefined;

  useEffect(() => {
    if (!isThere || !isSection(section)) return;
    const heading = document.getElementById(headingId(section));
    const place = box.current;
    if (heading === null || place === null) return;
    // Not scrollIntoView: that moves the frame of the window as well.
    place.scrollTop += heading.getBoundingClientRect().top - place.getBoundingClientRect().top - ABOVE_PX;
    heading.focus({ preventScroll: true });
    setRead(section);
  }, [isThere, section]);

  const follow = (): void => {
    const place = box.current;
    if (place === null) return;
    const top = place.getBoundingClientRect().top + READ_PX;
    const passed = SECTIONS.filter((each) => {
      const heading = document.getElementById(headingId(each));
      return heading !== null && heading.getBoundingClientRect().top <= top;
    });
    setRead(passed.at(-1) ?? 'claude');
  };

  const body = (): ReactNode => {
    const error = settings.error ?? policy.error;
    if (error !== null && !isThere) {
      return (
        <ErrorPanel
          error={error}
          onRetry={() => {
            void settings.refetch();
            void policy.refetch();
          }}
        />
      );
    }
    if (settings.data === undefined || policy.data === undefined) return <Loading rows={6} />;
    const { preferences, config } = settings.data;
    const parts: Readonly<Record<Section, ReactNode>> = {
      claude: <ClaudeSection doctor={doctor} config={config} />,
      notifications: (
        <NotificationsSection
          preferences={preferences}
          backend={sortChecks(doctor.data?.checks ?? []).notifications}
        />
      ),
      caps: <CapsSection policy={policy.data} config={config} />,
      general: <GeneralSection preferences={preferences} />,
      shortcuts: <ShortcutsSection preferences={preferences} />,
      policy: <PolicySection policy={policy.data} />,
      data: <DataSection policy={policy.data} />,
      about: <HubSection doctor={doctor} />,
    };
    return SECTIONS.map((each) => (
      <section key={each} aria-labelledby={headingId(each)}>
        <h2 id={headingId(each)} tabIndex={-1}>
          {t(`section_${each}`)}
        </h2>
        {parts[each]}
      </section>
    ));
  };

  return (
    <main className="main" aria-label={t('app:settings')}>
      <div className="bar">
        <h1>{t('app:settings')}</h1>
      </div>
      <div className="set">
        <nav aria-label={t('sections')} data-area="list">
          {SECTIONS.map((each) => (
            <Link
              key={each}
              href={`/settings/${each}`}
              {...(each === read ? { 'aria-current': 'true' as const } : {})}
            >
              {t(`section_${each}`)}
            </Link>
          ))}
        </nav>
        <div
          ref={box}
          className="form"
          tabIndex={0}
          role="region"
          aria-label={t('app:settings')}
          data-area="detail"
          onScroll={follow}
        >
          {body()}
        </div>
      </div>
    </main>
  );
}
