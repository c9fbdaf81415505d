import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Session } from 'electron';
import { APP_SCHEME, assetHeaders, assetPath, isPermitted, mayRequest } from './window-policy.ts';

/** Before `ready`, once. No service workers, no bypass of the policy, no other origin. */
export const SCHEME = {
  scheme: APP_SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
} as const;

const nothing = (status: number): Response => new Response(null, { status });

/** Serves the bundle from `folder`, which may lie in an asar file. */
export async function answerAsset(
  folder: string,
  request: { url: string; method: string },
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return nothing(405);
  const file = assetPath(request.url);
  if (file === null) return nothing(404);
  try {
    const content = await readFile(path.join(folder, ...file.split('/')));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
      headers: assetHeaders(file),
    });
  } catch {
    return nothing(404);
  }
}

/** Everything that a session could let out or in is shut; pages get the bundle and nothing else. */
export function secureSession(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => answerAsset(folder, request));
  session.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(isPermitted(permission, details.requestingUrl ?? '')),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => isPermitted(permission, `${origin}/`));
  session.setDevicePermissionHandler(() => false);
  // Null refuses; its type knows only grants.
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null));
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !mayRequest(details.url) }));
}
