import { app, nativeImage, type BrowserWindow } from 'electron';

/** The number of what waits on the application's icon: macOS and Linux count, Windows has a mark on its button. */
export function showBadge(
  count: number,
  /** What it means, for who cannot see it. */
  meaning: string,
  platform: NodeJS.Platform,
  mark: string,
  window: BrowserWindow | null,
): void {
  if (platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  window?.setOverlayIcon(count === 0 ? null : nativeImage.createFromPath(mark), count === 0 ? '' : meaning);
}
