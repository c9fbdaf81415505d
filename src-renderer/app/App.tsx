import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { Board } from '../features/board/Board.tsx';
import { Inbox } from '../features/inbox/Inbox.tsx';
import { useConnection } from '../api/api.tsx';
import { Loading } from '../components/Loading.tsx';
import { useFirstRun } from '../features/first-run/use-first-run.ts';
import { TaskScreen } from '../features/task/TaskScreen.tsx';
import { useAreas } from '../hooks/use-areas.ts';
import { useKeptFocus } from '../hooks/use-kept-focus.ts';
import { useKeys } from '../hooks/use-keys.ts';
import { Bands } from './Bands.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import { Header } from './Header.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { NoKey } from './NoKey.tsx';
import { usePreferences } from './preferences.ts';
import { NoPlace } from './NoPlace.tsx';
import { Sidebar } from './Sidebar.tsx';
import { ToastProvider } from './Toast.tsx';

// Places that one goes to now and then are loaded when one does: the inbox is on the screen sooner.
const Ledger = lazy(async () => ({ default: (await import('../features/ledger/Ledger.tsx')).Ledger }));
const FirstRun = lazy(async () => ({
  default: (await import('../features/first-run/FirstRun.tsx')).FirstRun,
}));
const Settings = lazy(async () => ({
  default: (await import('../features/settings/Settings.tsx')).Settings,
}));

/** The frame and the places in it. */
export function App() {
  // The host does not know this window any more: it has been started anew since.
  if (useConnection() === 'refused') return <NoKey />;
  return (
    <Router hook={useHashLocation}>
      <ToastProvider>
        <Frame />
      </ToastProvider>
    </Router>
  );
}

/** Of an item or a task. */
const NUMBER = /^[1-9]\d{0,8}$/;
/** `g`, then one of these within a second, goes to a place. */
const GO_TO: Readonly<Record<string, string>> = { i: '/inbox', b: '/board', l: '/ledger', s: '/settings' };

function Frame() {
  const { t } = useTranslation('app');
  const [isSearching, setSearching] = useState(false);
  const [, navigate] = useLocation();
  const [isGoing, setGoing] = useState(false);
  const [isHelping, setHelping] = useState(false);
  useAreas();
  useKeptFocus();
  usePreferences();
  useFirstRun();
  useKeys({
    'Mod+k': () => setSearching(true),
    '?': () => setHelping(true),
    g: () => {
      setGoing(true);
      window.setTimeout(() => setGoing(false), 1000);
    },
  });
  // Before the screens' own keys: after `g` these letters are places.
  useKeys(
    Object.fromEntries(
      Object.entries(GO_TO).map(([key, place]) => [
        key,
        () => {
          setGoing(false);
          navigate(place);
        },
      ]),
    ),
    isGoing,
    true,
  );
  return (
    <div className="app">
      <Header onSearch={() => setSearching(true)} />
      <section className="bands" aria-label={t('notices')}>
        <Bands />
      </section>
      <Sidebar />
      <Suspense
        fallback={
          <main className="main">
            <Loading />
          </main>
        }
      >
        <Switch>
          <Route path="/inbox/:number?">
            {({ number }) =>
              number === undefined || NUMBER.test(number) ? (
                <Inbox number={number === undefined ? null : Number(number)} />
              ) : (
                <NoPlace />
              )
            }
          </Route>
          <Route path="/task/:number/:tab?">
            {({ number, tab }) =>
              NUMBER.test(number) ? <TaskScreen key={number} number={number} tab={tab} /> : <NoPlace />
            }
          </Route>
          <Route path="/board" component={Board} />
          <Route path="/ledger" component={Ledger} />
          <Route path="/settings/:section?">{({ section }) => <Settings section={section ?? null} />}</Route>
          <Route path="/first-run" component={FirstRun} />
          <Route path="/">
            <Redirect to="/inbox" replace />
          </Route>
          <Route component={NoPlace} />
        </Switch>
      </Suspense>
      {isSearching && <CommandPalette onClose={() => setSearching(false)} />}
      {isHelping && <KeysDialog onClose={() => setHelping(false)} />}
    </div>
  );
}
