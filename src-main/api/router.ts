import { lazy } from '@trpc/server';
import { hubRouter } from './hub-router.ts';
import { router } from './trpc.ts';

/**
 * The one API: every host and client uses it, in this process or over a channel. Calls are `noun.verb`. What is not
 * asked of a hub that has just started is loaded with its first call (P7), or by
 * {@link loadRouters}.
 */
export const appRouter = router({
  hub: hubRouter,
  board: lazy(() => import('./board-router.ts').then((module) => module.boardRouter)),
  project: lazy(() => import('./project-router.ts').then((module) => module.projectRouter)),
  agent: lazy(() => import('./project-router.ts').then((module) => module.agentRouter)),
  task: lazy(() => import('./task-router.ts').then((module) => module.taskRouter)),
  inbox: lazy(() => import('./inbox-router.ts').then((module) => module.inboxRouter)),
  files: lazy(() => import('./machine-router.ts').then((module) => module.filesRouter)),
  ledger: lazy(() => import('./ledger-router.ts').then((module) => module.ledgerRouter)),
  notify: lazy(() => import('./notify-router.ts').then((module) => module.notifyRouter)),
  report: lazy(() => import('./report-router.ts').then((module) => module.reportRouter)),
  settings: lazy(() => import('./settings-router.ts').then((module) => module.settingsRouter)),
  spike: lazy(() => import('./report-router.ts').then((module) => module.spikeRouter)),
});
export type AppRouter = typeof appRouter;

/** Loads what `appRouter` would load with the first calls; its list of procedures is whole from then on. */
export async function loadRouters(): Promise<void> {
  await Promise.all(Object.values(appRouter._def.lazy).map((part) => part.load()));
}
