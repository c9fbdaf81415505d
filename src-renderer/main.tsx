import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
import { createBridgeTransport, type Bridge } from './api/bridge-transport.ts';
import { exchangeToken, keepPlace, linkToken, windowKey } from './api/session.ts';
import { createSocketTransport } from './api/socket-transport.ts';
import type { Transport } from './api/transport.ts';
import { App } from './app/App.tsx';
import { NoKey } from './app/NoKey.tsx';
import { applyLooks, languageOf, lastLooks } from './app/preferences.ts';
import { startWords } from './i18n/index.ts';
import './styles/index.css';

declare global {
  interface Window {
    /** There in Electron alone. */
    readonly signalbox?: Bridge;
  }
}

const looks = lastLooks();
const words = startWords(languageOf(looks));
applyLooks(looks);

/** Null when this browser may not speak to the host. */
async function openTransport(): Promise<Transport | null> {
  if (window.signalbox !== undefined) return createBridgeTransport(window.signalbox);
  if (!(await exchangeToken()) || windowKey() === null) return null;
  const url = new URL('api', location.href);
  url.protocol = 'ws:';
  url.hash = '';
  return createSocketTransport(url.href, windowKey);
}

// A new link opened in a tab that shows the window: only the fragment is another, and the browser loads nothing anew.
window.addEventListener('hashchange', (event) => {
  if (window.signalbox !== undefined || linkToken() === null) return;
  event.stopImmediatePropagation();
  keepPlace(new URL(event.oldURL).hash);
  location.reload();
});

const root = createRoot(document.getElementById('root') as HTMLElement);
void Promise.all([openTransport(), words]).then(([transport]) =>
  root.render(
    <StrictMode>
      {transport === null ? (
        <NoKey />
      ) : (
        <ApiProvider transport={transport}>
          <App />
        </ApiProvider>
      )}
    </StrictMode>,
  ),
);
