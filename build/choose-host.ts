/** What `npm start` knows about this machine when it decides between the desktop application and the web host. */
export interface StartFacts {
  /** `SIGNALBOX_HOST`: `web` or `desktop`, without asking further. */
  readonly wanted: string | undefined;
  /** False on Linux without X11 or Wayland, where Electron ends at once. */
  readonly hasDisplay: boolean;
  /** Whether Electron's program is there already. */
  readonly hasElectron: boolean;
  /** Whether the place answers that Electron would be fetched from. Takes 5 s at most. */
  readonly canFetchElectron: () => Promise<boolean>;
}

export type HostChoice =
  | { readonly kind: 'desktop' }
  /** Fetch Electron first. */
  | { readonly kind: 'fetch' }
  /** `why` is said in one line; null when the person asked for it. */
  | { readonly kind: 'web'; readonly why: string | null };

/** A host that was not asked for is said, an unknown one refused. */
export async function chooseHost(facts: StartFacts): Promise<HostChoice> {
  const { wanted, hasDisplay, hasElectron, canFetchElectron } = facts;
  if (wanted === 'web') return { kind: 'web', why: null };
  if (wanted !== undefined && wanted !== '' && wanted !== 'desktop') {
    throw new Error(`SIGNALBOX_HOST is web or desktop, not ${JSON.stringify(wanted)}.`);
  }
  if (wanted !== 'desktop' && !hasDisplay) return { kind: 'web', why: 'There is no display here.' };
  if (hasElectron) return { kind: 'desktop' };
  if (wanted === 'desktop' || (await canFetchElectron())) return { kind: 'fetch' };
  return { kind: 'web', why: 'Electron is not installed, and the place to fetch it from cannot be reached.' };
}

type Environment = Readonly<Record<string, string | undefined>>;

const RELEASES = 'https://github.com/electron/electron/releases/download/';

/** Where Electron's own installer would fetch its program from, mirrors of the person included. */
export function electronAddress(version: string, platform: string, arch: string, env: Environment): string {
  const mirror = env['npm_config_electron_mirror'] ?? env['ELECTRON_MIRROR'] ?? RELEASES;
  return `${mirror}v${version}/electron-v${version}-${platform}-${arch}.zip`;
}

/** Linux alone has machines where nothing can be shown. */
export const hasDisplay = (platform: string, env: Environment): boolean =>
  platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
