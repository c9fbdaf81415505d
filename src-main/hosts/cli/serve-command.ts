import { Option, type Command } from 'commander';
import { AppError } from '../../../src-shared/errors.ts';
import { callerOf } from './connect.ts';
import { define, wholeNumber } from './define.ts';
import type { Host } from './host.ts';
import { watchHub } from './hub-lines.ts';

interface ServeFlags {
  readonly port?: number;
  readonly open?: boolean;
  readonly hub: boolean;
  readonly link?: boolean;
  readonly bind?: string;
}

const LAST_PORT = 65_535;

/** `serve` */
export function addServeCommand(program: Command, host: Host): void {
  define(program, 'serve', 'serve the window to a browser on this machine until Ctrl+C', [
    'signalbox serve --open',
    'signalbox serve --link',
  ])
    .option('--port <n>', 'port to listen at; 0, the default, takes a free one', wholeNumber(0, LAST_PORT))
    .option('--open', 'open it in the browser')
    .option('--no-hub', 'be a client of the hub that runs, never the hub')
    .addOption(
      new Option('--link', 'print a fresh one-time link of the web host that runs').conflicts([
        'port',
        'open',
        'bind',
      ]),
    )
    .option('--bind <address>', '127.0.0.1, the default; other addresses are refused')
    .action(async (flags: ServeFlags) => {
      const web = await import('../web/serve.ts');
      web.checkBind(flags.bind);
      const person = { ...(await callerOf(host)), via: 'web' };
      if (person.isAgent) {
        throw new AppError('agent-may-not-decide', 'An agent may not open the window.', {
          hint: 'A person does it, from a terminal that Signalbox did not start.',
        });
      }
      if (flags.link === true) {
        const link = await web.askForLink(host.folder, person);
        host.out.value(link, () => link.url);
        return;
      }
      await web.serve({
        folder: host.folder,
        env: host.env,
        clock: host.clock,
        person,
        port: flags.port ?? 0,
        openBrowser: flags.open === true,
        attachOnly: !flags.hub,
        onCrash: host.onCrash,
        listening: (view) => host.out.value(view, () => `listening on ${view.url}`),
        note: host.out.note,
        ...(host.out.json ? {} : { tellFacts: ({ stores, feed }) => watchHub(stores, feed, host.out.note) }),
      });
    });
}
