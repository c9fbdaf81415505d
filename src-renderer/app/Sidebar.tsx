import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useConnection } from '../api/api.tsx';
import { Icon, type GlyphName } from '../components/Icon.tsx';
import { byName, useSummary, type ProjectSummary } from './use-summary.ts';

const PLACES = ['inbox', 'board', 'ledger', 'settings'] as const satisfies readonly GlyphName[];

export function Sidebar() {
  const { t } = useTranslation('app');
  const [location] = useLocation();
  const { projects = [], waiting = 0 } = useSummary() ?? {};
  return (
    <aside className="side" aria-label={t('sidebar')}>
      <nav className="navl" aria-label={t('main')} data-area="sidebar">
        {PLACES.map((place) => (
          <Link key={place} href={`/${place}?`} title={t(place)} {...currentOf(place, location)}>
            <Icon name={place} />
            <span className="lb">{t(place)}</span>
            {place === 'inbox' && waiting > 0 && (
              <span className="n" aria-hidden="true">
                {waiting}
              </span>
            )}
          </Link>
        ))}
      </nav>
      {projects.length > 0 && (
        <>
          <h2>
            {t('projects')}
            <span>{t('slotsHead')}</span>
          </h2>
          <div className="proj">
            {byName(projects).map((project) => (
              <ProjectLink key={project.id} project={project} />
            ))}
          </div>
        </>
      )}
      <HubLine />
    </aside>
  );
}

/** A task belongs to the board. */
function currentOf(place: string, location: string): { 'aria-current'?: 'page' | 'true' } {
  if (location.startsWith(`/${place}`)) return { 'aria-current': 'page' };
  return place === 'board' && location.startsWith('/task/') ? { 'aria-current': 'true' } : {};
}

function ProjectLink({ project }: { project: ProjectSummary }) {
  const { t } = useTranslation('app');
  const [location] = useLocation();
  const { name, enabled: isEnabled, slots, inUse, waiting } = project;
  // On the board it scrolls there; elsewhere it filters the inbox.
  const place = location.startsWith('/board') ? 'board' : 'inbox';
  return (
    <Link
      href={`/${place}?project=${encodeURIComponent(name)}`}
      className={clsx(!isEnabled && 'off', inUse > 0 && 'live')}
    >
      <bdi className="nm clip">{name}</bdi>
      {waiting > 0 && (
        <span className="w">
          <Icon name="waiting" />
          {waiting}
          <span className="vh"> {t('waitingForYou')}</span>
        </span>
      )}
      <span className="sl">
        {isEnabled ? `${inUse}/${slots}` : t('off')}
        {isEnabled && <span className="vh"> {t('slotsRunning')}</span>}
      </span>
    </Link>
  );
}

function HubLine() {
  const { t } = useTranslation('hub');
  const summary = useSummary();
  const connection = useConnection();
  const [hold] = summary?.holds ?? [];
  const [glyph, text, colour]: [GlyphName, string, string?] =
    connection === 'lost'
      ? ['offline', t('lost'), 'c-wait']
      : connection !== 'open' || summary === undefined
        ? ['hold', t('connecting')]
        : summary.killed !== null
          ? ['killed', t('killed'), 'c-stop']
          : hold !== undefined
            ? ['hold', t('hold', { what: t(`hold_${hold.kind}`) }), 'c-wait']
            : ['tick', t('running')];
  return (
    <p className="hub" title={text}>
      <span className={colour}>
        <Icon name={glyph} isSmall />
      </span>
      <span className="lb">{text}</span>
    </p>
  );
}
