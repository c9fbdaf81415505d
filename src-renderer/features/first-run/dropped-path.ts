/** What of a drop is looked at. */
export type Dropped = Pick<DataTransfer, 'getData'>;

/**
 * Path of what was dropped; null when the browser does not tell it, as with folders from a file manager. Some hand
 * over an address or the path as text.
 */
export function droppedPath(dropped: Dropped): string | null {
  const [address] = dropped
    .getData('text/uri-list')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  const text = (address ?? dropped.getData('text/plain')).trim();
  if (text.startsWith('file://')) {
    try {
      const path = decodeURIComponent(new URL(text).pathname);
      // file:///C:/work has a slash before the drive.
      return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
    } catch {
      return null;
    }
  }
  return /^(\/|[A-Za-z]:[\\/]|~\/)/.test(text) && !text.includes('\n') ? text : null;
}
