declare const __SIGNALBOX_VERSION__: string;
/** Of the package, put in by the build. */
export const VERSION = __SIGNALBOX_VERSION__;
