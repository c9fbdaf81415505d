/**
 * The utility process: the whole hub (core, store, adapters, api) in a process of its own, so that neither the tray
 * nor the window waits for it, and its end ends neither (12-engine, Who is the hub). It answers over the ports that
 * main hands in, and over the local socket as every hub.
 */
import type { MessagePortMain } from 'electron';
import type { WebSocket } from 'ws';
import { isAppError } from '../../../src-shared/errors.ts';
import { locateDataFolder, openDataFolder } from '../../adapters/data-folder.ts';
import { ownOrFindHub } from '../../adapters/hub-lock/hub-lock.ts';
import { createMessageHandler, type AnswerMessages } from '../../adapters/local-socket/message-handler.ts';
import { listensAt } from '../../adapters/local-socket/listens-at.ts';
import { PortServerSocket } from '../../adapters/port-socket.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { appRouter } from '../../api/router.ts';
import { startOwnHub, type OwnHub } from '../../hub/own-hub.ts';
import { tryLock } from '../../store/hub-lock.ts';
import { ToHub, type FromHub } from './hub-messages.ts';
import { packagedNode } from './packaged-node.ts';

const { parentPort } = process;
const say = (message: FromHub): void => parentPort.postMessage(message);

type Connect = Extract<ToHub, { kind: 'connect' }>;
/** Connections that came before the hub could take them; their messages wait in the port. */
const early: { readonly from: Connect; readonly port: MessagePortMain }[] = [];
let hub: OwnHub | null = null;
let answer: AnswerMessages | null = null;
let isAsked = false;

function accept(owner: OwnHub, { name, via }: Connect, port: MessagePortMain): void {
  answer ??= createMessageHandler({
    router: appRouter,
    contextOf: (caller) => owner.contextOf(caller),
    log: owner.services.log,
  });
  const socket = new PortServerSocket(port);
  // It is what the handler uses of the class of `ws`.
  answer(socket as unknown as WebSocket, { name, via, isAgent: false });
  socket.start();
}

parentPort.on('message', ({ data, ports }) => {
  const message = ToHub.safeParse(data);
  if (!message.success) return;
  if (message.data.kind === 'stop') {
    isAsked = true;
    hub?.end('signal');
    return;
  }
  const [port] = ports;
  if (port === undefined) return;
  if (hub === null) early.push({ from: message.data, port });
  else accept(hub, message.data, port);
});

/** Node only warns here (electron.md, 5); a hub that is broken must end, to be started again. */
let onCrash = (error: unknown): void => {
  throw error;
};
process.on('unhandledRejection', (error) => onCrash(error));
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? String(error)}\n`);
  onCrash(error);
});

async function run(): Promise<number> {
  const folder = openDataFolder(locateDataFolder(process.env));
  const clock = systemClock;
  const owned = await ownOrFindHub({ folder: folder.data, clock, tryLock, answers: listensAt });
  if (owned.kind === 'hub') {
    const { pid, host, socket } = owned.record;
    say({ kind: 'other-hub', pid, host, socket });
    return 0;
  }
  const node = packagedNode();
  const owner = await startOwnHub({
    folder,
    lock: owned.lock,
    env: process.env,
    clock,
    host: 'desktop',
    ...(node === null ? {} : { node }),
    onCrash: (handler) => {
      onCrash = handler;
    },
  });
  hub = owner;
  if (isAsked) owner.end('signal');
  say({ kind: 'ready', pid: owner.pid });
  for (const { from, port } of early.splice(0)) accept(owner, from, port);
  const ended = await owner.ended;
  await owner.stop();
  if (ended.by === 'asked') say({ kind: 'stopped' });
  return ended.by === 'failure' ? 1 : 0;
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isOurs = isAppError(error);
    say({
      kind: 'failed',
      message: isOurs
        ? error.message
        : 'The hub could not start. The log in the data folder has the details.',
      hint: isOurs ? (error.hint ?? null) : null,
    });
    if (!isOurs) process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
