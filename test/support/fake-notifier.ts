import {
  NotShownError,
  type Notice,
  type NoticeAct,
  type Notifier,
  type NotifierAbilities,
  type Shown,
} from '../../src-main/core/ports/notifier.ts';
import type { NotShownReason } from '../../src-shared/model/notice-test.ts';

/** A notification service that shows nothing and remembers everything. */
export class FakeNotifier implements Notifier {
  readonly shown: Notice[] = [];
  readonly withdrawn: string[] = [];
  can: NotifierAbilities = { click: true, buttons: true, reply: true, withdraw: true };
  /** Why nothing can be shown; null while it works. */
  broken: string | null = null;
  /** What that means. */
  reason: NotShownReason = 'failed';
  /** What it says of those that it shows. */
  answer: Shown = { by: 'dbus', isConfirmed: true };
  isDisposed = false;
  private readonly listeners = new Set<(act: NoticeAct) => void>();

  abilities(): Promise<NotifierAbilities> {
    return Promise.resolve(this.can);
  }

  show(notice: Notice): Promise<Shown> {
    if (this.broken !== null) return Promise.reject(new NotShownError(this.reason, this.broken));
    this.shown.push(notice);
    return Promise.resolve(this.answer);
  }

  withdraw(key: string): Promise<void> {
    this.withdrawn.push(key);
    return Promise.resolve();
  }

  onAct(listener: (act: NoticeAct) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** A person does something with a notification. */
  act(act: NoticeAct): void {
    for (const listener of [...this.listeners]) listener(act);
  }

  /** Texts of what is shown and was not taken back. */
  get standing(): readonly string[] {
    return this.shown
      .filter((notice) => !this.withdrawn.includes(notice.key))
      .map((notice) => `${notice.title}: ${notice.body}`);
  }

  keyOf(title: string): string {
    return this.shown.findLast((notice) => notice.title === title)?.key ?? `no notice "${title}"`;
  }
}
