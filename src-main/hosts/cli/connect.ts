import type { TRPCClient, TRPCLink } from '@trpc/client';
import { AppError, isAppError } from '../../../src-shared/errors.ts';
import type { Millis } from '../../../src-shared/time.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { LOCK_PATIENCE, ownOrFindHub, type Ownership } from '../../adapters/hub-lock/hub-lock.ts';
import { readHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import type { Caller } from '../../adapters/local-socket/caller.ts';
import { listensAt } from '../../adapters/local-socket/listens-at.ts';
import type { AppRouter } from '../../api/router.ts';
import type { Disposable } from '../../core/ports/world.ts';
import { isBelowAgent } from '../../hub/caller-mark.ts';
import type { Host } from './host.ts';

export type ApiClient = TRPCClient<AppRouter>;

/** The router within reach, in the hub or in this process. */
export interface Session {
  readonly client: ApiClient;
  /** Whether a hub answers; false when this process owns the data folder for the moment. */
  readonly hasHub: boolean;
  close(): Promise<void>;
}

export async function callerOf(host: Host): Promise<Caller> {
  const source =
    process.platform === 'win32'
      ? null
      : (await import('../../adapters/process/process-table.ts')).createProcessSource();
  const isAgent = await isBelowAgent(host.env, process, source);
  return { name: host.person, via: 'cli', isAgent };
}

export interface ConnectOptions {
  readonly subscriptions?: boolean;
  readonly disconnected?: () => void;
}

async function connectToHub(
  host: Host,
  { socket, pid }: { readonly socket: string; readonly pid: number },
  options: ConnectOptions,
): Promise<Session> {
  const [{ connectLocally }, caller] = await Promise.all([
    import('../../adapters/local-socket/client.ts'),
    callerOf(host),
  ]);
  const connection = await connectLocally<AppRouter>({ path: socket, pid, caller, ...options });
  return { client: connection.client, hasHub: true, close: connection.close };
}

/** The hub of the data folder, or null when none answers. Touches neither lock nor database. */
export async function findHub(host: Host, options: ConnectOptions = {}): Promise<Session | null> {
  const record = readHubRecord(host.folder.data);
  if (record === null || record.socket === null || record.host === 'command') return null;
  return (await listensAt(record.socket))
    ? connectToHub(host, { socket: record.socket, pid: record.pid }, options)
    : null;
}

/**
 * @param problem what is said without one
 * @throws AppError 'hub-not-running'
 */
export async function requireHub(
  host: Host,
  problem: { readonly message: string; readonly hint: string },
  options: ConnectOptions = {},
): Promise<Session> {
  const hub = await findHub(host, options);
  if (hub !== null) return hub;
  throw new AppError('hub-not-running', problem.message, { hint: problem.hint });
}

/**
 * The hub if one runs; else this process owns the data folder for the duration of one command, and the same router
 * runs in it (12-engine, Who is the hub).
 */
export async function connect(host: Host): Promise<Session> {
  const hub = await findHub(host);
  if (hub !== null) return hub;
  let lock: Disposable | null = null;
  try {
    const owner = await own(host, LOCK_PATIENCE);
    if (owner.kind === 'hub') return await connectToHub(host, owner.record, {});
    ({ lock } = owner);
    return await buildSession(host, lock);
  } catch (error) {
    const session = cannotWrite(error) ? await buildSession(host, lock, error).catch(() => null) : null;
    if (session !== null) return session;
    lock?.dispose();
    throw error;
  }
}

/** What Node and SQLite say of a place that is there and takes nothing. */
const TAKES_NOTHING = /^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|SQLITE_(CANTOPEN|READONLY|FULL|IOERR|PERM).*)$/;

/** Whether reading may still go. */
function cannotWrite(error: unknown): error is AppError {
  if (!isAppError(error)) return false;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return error.code === 'disk-full' || (typeof code === 'string' && TAKES_NOTHING.test(code));
}

/** The router in this process, or null when a hub holds the data folder, or somebody else does for longer. */
export async function connectWithoutHub(host: Host, patience: Millis): Promise<Session | null> {
  const owner = await own(host, patience).catch(() => null);
  return owner === null || owner.kind === 'hub' ? null : inProcess(host, owner.lock);
}

async function own(host: Host, patience: Millis): Promise<Ownership> {
  const [{ openDataFolder }, { tryLock }] = await Promise.all([
    import('../../adapters/data-folder.ts'),
    import('../../store/hub-lock.ts'),
  ]);
  const folder = openDataFolder(host.folder);
  return ownOrFindHub({ folder: folder.data, clock: host.clock, tryLock, answers: listensAt }, patience);
}

/** Gives the lock back if the services cannot be built. */
async function inProcess(host: Host, lock: Disposable): Promise<Session> {
  try {
    return await buildSession(host, lock);
  } catch (error) {
    lock.dispose();
    throw error;
  }
}

async function onlyReading(host: Host, unwritable: AppError): Promise<TRPCLink<AppRouter>> {
  const { onlyReads } = await import('./read-only-link.ts');
  return onlyReads(unwritable, () =>
    host.out.note(`signalbox: ${visibleLine(unwritable.message)} What is stored is shown.`),
  );
}

/**
 * @param lock null when it could not be taken
 * @param unwritable why nothing can be written: then calls only read, and those that would change something fail so
 */
async function buildSession(host: Host, lock: Disposable | null, unwritable?: AppError): Promise<Session> {
  const [{ buildServices }, { appRouter }, { createTRPCClient, localLink }, caller] = await Promise.all([
    import('../../hub/build-services.ts'),
    import('../../api/router.ts'),
    import('@trpc/client'),
    callerOf(host),
  ]);
  const built = await buildServices({
    folder: host.folder,
    env: host.env,
    clock: host.clock,
    hub: null,
    isReadonly: unwritable !== undefined,
  });
  const context = {
    ...built.services,
    actor: { name: caller.name, via: 'cli' as const },
    isAgent: caller.isAgent,
  };
  const client = createTRPCClient<AppRouter>({
    links: [
      ...(unwritable === undefined ? [] : [await onlyReading(host, unwritable)]),
      localLink({ router: appRouter, createContext: () => Promise.resolve(context) }),
    ],
  });
  return {
    client,
    hasHub: false,
    close: async () => {
      await built.dispose();
      lock?.dispose();
    },
  };
}
