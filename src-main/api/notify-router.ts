/** Whether notifications reach a person: for persons alone, as each call shows one or speaks for who shows them. */
import { Done, DONE } from '../../src-shared/api/common.ts';
import {
  NotifyReportInput,
  NotifyRequestsInput,
  NotifySelfTestInput,
  NotifySelfTestView,
  NotifyTestView,
} from '../../src-shared/api/notify.ts';
import { seconds } from '../../src-shared/time.ts';
import { noticeRequests, testNotification } from '../core/notify/notice-tests.ts';
import { runSelfTest } from '../core/notify/self-test.ts';
import { decision, router } from './trpc.ts';

export const notifyRouter = router({
  /** Raises a test notification and says what happened, within 20 s. */
  test: decision.output(NotifyTestView).mutation(({ ctx }) => testNotification(ctx.notices.tests)),
  /** A scripted agent asks, a person clicks, the agent has the answer: each link with its time. */
  selfTest: decision
    .input(NotifySelfTestInput)
    .output(NotifySelfTestView)
    .mutation(({ ctx, input }) => runSelfTest({ clock: ctx.clock, ...ctx.notices }, seconds(input.waitS))),
  /** Followed by who raises notifications. */
  requests: decision
    .input(NotifyRequestsInput)
    .subscription(({ ctx, input, signal }) =>
      noticeRequests(ctx.notices.tests, input.host, signal ?? new AbortController().signal),
    ),
  /** What became of a request. One that nobody waits for any more is no error. */
  report: decision
    .input(NotifyReportInput)
    .output(Done)
    .mutation(({ ctx, input }) => {
      ctx.notices.tests.report(input);
      return DONE;
    }),
});
