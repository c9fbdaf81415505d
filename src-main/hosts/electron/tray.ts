import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray, type MenuItemConstructorOptions } from 'electron';
import type { Disposable } from '../../core/ports/world.ts';
import type { TrayAct, TrayIcon, TrayItem, TrayView } from './tray-menu.ts';

export interface TrayDeps {
  readonly platform: NodeJS.Platform;
  /** Folder of the icons that `build/make-icons.mjs` draws. */
  readonly icons: string;
  act(act: TrayAct): void;
}

export interface AppTray extends Disposable {
  show(view: TrayView): void;
}

/**
 * The icon's file. macOS tints a template by itself; Windows wants an `.ico` from a path; Linux takes the largest of
 * the sizes. The panel's colour is only guessed there, so that the light icon has a dark outline.
 */
export function iconFile(icon: TrayIcon, platform: NodeJS.Platform, isDark: boolean): string {
  if (platform === 'darwin') return `tray-${icon}-Template.png`;
  const tone = isDark ? 'light' : 'dark';
  return platform === 'win32' ? `tray-${icon}-${tone}.ico` : `tray-${icon}-${tone}.png`;
}

/** Our items as Electron's. A fresh menu each time: Linux sees no change of an item. */
export function templateOf(
  items: readonly TrayItem[],
  act: (act: TrayAct) => void,
): MenuItemConstructorOptions[] {
  return items.map((item): MenuItemConstructorOptions => {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'text':
        return { label: item.label, enabled: false };
      case 'action':
        return { id: item.id, label: item.label, click: () => act(item.act) };
      case 'check':
      case 'radio':
        return {
          id: item.id,
          label: item.label,
          type: item.kind === 'check' ? 'checkbox' : 'radio',
          checked: item.isChecked,
          click: () => act(item.act),
        };
      case 'menu':
        return { id: item.id, label: item.label, submenu: templateOf(item.items, act) };
    }
  });
}

/** To be kept in a variable that lives: a tray that is collected disappears. */
export function createTray(deps: TrayDeps): AppTray {
  const { platform } = deps;
  const file = (icon: TrayIcon): string =>
    path.join(deps.icons, iconFile(icon, platform, nativeTheme.shouldUseDarkColors));
  const image = (icon: TrayIcon) =>
    // Windows chooses a size by itself from the file.
    platform === 'win32' ? file(icon) : nativeImage.createFromPath(file(icon));

  const tray = new Tray(image('idle'));
  let shown: TrayView | null = null;
  /** Kept, as the tray: a menu that is collected is dead. */
  let menu: Menu | null = null;

  const open = (): void => deps.act({ kind: 'open', page: 'inbox' });
  // macOS opens the menu on a click; on Linux the panel decides, so that nothing depends on it.
  if (platform === 'win32') tray.on('double-click', open);
  else if (platform === 'linux') tray.on('click', open);

  const draw = (view: TrayView): void => {
    tray.setImage(image(view.icon));
    tray.setToolTip(view.tooltip);
    if (platform === 'darwin') tray.setTitle(view.count, { fontType: 'monospacedDigit' });
  };
  const themed = (): void => {
    if (shown !== null) draw(shown);
  };
  nativeTheme.on('updated', themed);

  return {
    show: (view) => {
      const isSame = JSON.stringify(view) === JSON.stringify(shown);
      if (isSame) return;
      shown = view;
      draw(view);
      // A click has already toggled what it hit: the menu is made anew from what is true.
      menu = Menu.buildFromTemplate(
        templateOf(view.items, (act) => {
          shown = null;
          deps.act(act);
        }),
      );
      tray.setContextMenu(menu);
    },
    dispose: () => {
      nativeTheme.off('updated', themed);
      tray.destroy();
      menu = null;
    },
  };
}
