import type { NoticeKind } from './preferences.ts';

/** So many of a project stand by themselves; one more and they become one notification. */
export const MOST_SINGLE = 3;

/** Something to tell of that waits in the inbox. */
export interface NoticeSubject {
  readonly number: number;
  readonly kind: NoticeKind;
  readonly project: string | null;
}

/** A notification that stands. */
export interface StandingNotice {
  readonly key: string;
  readonly project: string | null;
  readonly isBundle: boolean;
  readonly subjects: readonly NoticeSubject[];
}

export interface NoticePlan {
  readonly withdraw: readonly string[];
  readonly singles: readonly NoticeSubject[];
  readonly bundles: readonly {
    readonly project: string | null;
    readonly subjects: readonly NoticeSubject[];
  }[];
}

/**
 * Which notifications come and go for items that are new. In a project with a bundle, or with more than
 * {@link MOST_SINGLE} at once, one bundle takes the place of all.
 */
export function planNotices(
  fresh: readonly NoticeSubject[],
  standing: readonly StandingNotice[],
): NoticePlan {
  const plan = {
    withdraw: [] as string[],
    singles: [] as NoticeSubject[],
    bundles: [] as NoticePlan['bundles'][number][],
  };
  for (const project of new Set(fresh.map((subject) => subject.project))) {
    const added = fresh.filter((subject) => subject.project === project);
    const there = standing.filter((notice) => notice.project === project);
    const subjects = [...there.flatMap((notice) => notice.subjects), ...added];
    if (!there.some((notice) => notice.isBundle) && subjects.length <= MOST_SINGLE) {
      plan.singles.push(...added);
    } else {
      plan.withdraw.push(...there.map((notice) => notice.key));
      plan.bundles.push({ project, subjects });
    }
  }
  return plan;
}
