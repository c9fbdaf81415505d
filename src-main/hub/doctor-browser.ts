import os from 'node:os';
import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import type { HubId } from '../../src-shared/ids.ts';
import { seconds } from '../../src-shared/time.ts';
import { toolEnvironment } from '../adapters/environment.ts';
import { hasDisplay } from '../adapters/has-display.ts';
import type { Spawner } from '../adapters/process/spawner.ts';
import { ownerMark } from '../core/ports/world.ts';
import { bad, ok, type DoctorHost } from './doctor-check.ts';

const NAME = 'browser';
/** What tells `xdg-mime` whose choice it is to name. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_CURRENT_DESKTOP', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS'];

/**
 * The browser that opens links, which is what `signalbox serve --open` shows the window with. None is needed where
 * nothing can be shown: the printed link works in a browser of another machine.
 *
 * @param platform whose way of choosing one is looked at
 */
export async function checkBrowser(
  host: DoctorHost,
  spawner: Spawner,
  hubId: HubId,
  platform: NodeJS.Platform = process.platform,
): Promise<DoctorCheck> {
  if (platform !== 'linux') return ok(NAME, 'the one that the system opens links with');
  if ((host.env['WSL_DISTRO_NAME'] ?? '') !== '') return ok(NAME, 'the one that Windows opens links with');
  if (!hasDisplay(platform, host.env)) return ok(NAME, 'none: there is no display here');
  const run = await spawner.run({
    file: 'xdg-mime',
    args: ['query', 'default', 'x-scheme-handler/http'],
    cwd: os.homedir(),
    env: {
      ...toolEnvironment(host.env, platform),
      ...Object.fromEntries(DESKTOP.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : []))),
    },
    mark: ownerMark(hubId, 'doctor'),
    timeout: seconds(10),
    maxBytes: 4096,
  });
  const chosen = run.kind === 'exited' ? run.stdout.toString('utf8').trim() : '';
  if (chosen !== '') return ok(NAME, chosen.replace(/\.desktop$/, ''));
  const fix =
    run.kind === 'exited'
      ? 'Install one, or choose it: xdg-settings set default-web-browser firefox.desktop'
      : 'Install xdg-utils and a browser.';
  return bad(
    NAME,
    'warning',
    'none is chosen for links',
    `${fix} Without it, open the printed link yourself.`,
  );
}
