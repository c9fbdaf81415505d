import dbus from 'dbus-next';

export interface SeenNotification {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly actions: readonly string[];
  readonly hints: readonly string[];
  readonly expires: number;
}

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';

class Service extends dbus.interface.Interface {
  capabilities: string[] = [];
  /** Clicks before it has answered with the number. */
  isHasty = false;
  readonly seen: SeenNotification[] = [];
  readonly closed: number[] = [];
  private last = 0;

  GetCapabilities(): string[] {
    return this.capabilities;
  }

  GetServerInformation(): string[] {
    return ['test', 'signalbox', '1', '1.2'];
  }

  Notify(
    _app: string,
    replaces: number,
    _icon: string,
    title: string,
    body: string,
    actions: string[],
    hints: Record<string, unknown>,
    expires: number,
  ): number {
    this.last = replaces === 0 ? this.last + 1 : replaces;
    this.seen.push({ id: this.last, title, body, actions, hints: Object.keys(hints), expires });
    if (this.isHasty) this.ActionInvoked(this.last, 'default');
    return this.last;
  }

  CloseNotification(id: number): void {
    this.closed.push(id);
    this.NotificationClosed(id, 3);
  }

  NotificationClosed(id: number, reason: number): [number, number] {
    return [id, reason];
  }

  ActionInvoked(id: number, action: string): [number, string] {
    return [id, action];
  }

  NotificationReplied(id: number, text: string): [number, string] {
    return [id, text];
  }
}
Service.configureMembers({
  methods: {
    GetCapabilities: { outSignature: 'as' },
    GetServerInformation: { outSignature: 'ssss' },
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u' },
  },
  signals: {
    NotificationClosed: { signature: 'uu' },
    ActionInvoked: { signature: 'us' },
    NotificationReplied: { signature: 'us' },
  },
});

export interface Daemon extends Pick<Service, 'seen' | 'closed'> {
  clickAtOnce(): void;
  click(id: number): void;
  press(id: number, action: string): void;
  reply(id: number, text: string): void;
  dismiss(id: number): void;
  dispose(): void;
}

/** A notification service of our own on the session bus, with the capabilities that a test wants. */
export async function startDaemon(capabilities: readonly string[]): Promise<Daemon> {
  const bus = dbus.sessionBus({ busAddress: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '' });
  const service = new Service(NAME);
  service.capabilities = [...capabilities];
  bus.export(PATH, service);
  await bus.requestName(NAME, dbus.NameFlag.REPLACE_EXISTING | dbus.NameFlag.ALLOW_REPLACEMENT);
  return {
    seen: service.seen,
    closed: service.closed,
    clickAtOnce: () => (service.isHasty = true),
    click: (id) => service.ActionInvoked(id, 'default'),
    press: (id, action) => service.ActionInvoked(id, action),
    reply: (id, text) => service.NotificationReplied(id, text),
    dismiss: (id) => service.NotificationClosed(id, 2),
    dispose: () => bus.disconnect(),
  };
}
