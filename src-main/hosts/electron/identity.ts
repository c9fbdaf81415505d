/** Names by which systems know the application; the packaging uses the same ones. */
export const APP_NAME = 'Signalbox';
/** Windows' AppUserModelID, the bundle's id on macOS, and `appId` of the packaging. */
export const APP_ID = 'dev.signalbox.Signalbox';
/** The installed .desktop file without its ending, also StartupWMClass. */
export const DESKTOP_NAME = APP_ID;
/** Fixed, so that Windows finds us for a notification of an earlier run. */
export const TOAST_CLSID = '{6C0B7C1E-4D7A-4C0E-9A56-2D0F6B1E7A52}';
