/** The module that `import … from 'electron'` gets. */
export { app } from './app.ts';
export { MessageChannelMain, MessagePortMain } from './ports.ts';
export {
  crashReporter,
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  shell,
  Tray,
} from './records.ts';
export { utilityProcess } from './utility-process.ts';
export { BrowserWindow, ipcMain, protocol, session } from './windows.ts';
