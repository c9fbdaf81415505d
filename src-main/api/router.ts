import { hubRouter } from './hub-router.ts';
import { inboxRouter } from './inbox-router.ts';
import { ledgerRouter } from './ledger-router.ts';
import { agentRouter, projectRouter } from './project-router.ts';
import { reportRouter, spikeRouter } from './report-router.ts';
import { taskRouter } from './task-router.ts';
import { router } from './trpc.ts';

/** The one API: every host and client uses it, in this process or over a channel. Calls are `noun.verb`. */
export const appRouter = router({
  hub: hubRouter,
  project: projectRouter,
  agent: agentRouter,
  task: taskRouter,
  inbox: inboxRouter,
  ledger: ledgerRouter,
  report: reportRouter,
  spike: spikeRouter,
});
export type AppRouter = typeof appRouter;
