import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCRIPTED_CLAUDE } from '../../support/relay-world.ts';
import { DesktopWorld, WORKS } from './desktop-world.ts';

interface Doctor {
  readonly ok: true;
  readonly value: {
    readonly checks: readonly { readonly name: string; readonly found: string; readonly status: string }[];
  };
}
interface Bridge {
  call(kind: 'query', name: string, input: unknown): Promise<Doctor>;
}
declare const signalbox: Bridge;

/** A person whose `claude` is where only the start-up files of their shell say. */
function person(world: DesktopWorld): { readonly folder: string; shell(start: string): string } {
  const folder = path.join(world.relay.home, 'their tools');
  mkdirSync(folder, { recursive: true });
  const program = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  program('claude', `exec '${process.execPath}' '${SCRIPTED_CLAUDE}' "$@"`);
  return { folder, shell: (start) => program('their-shell', `${start}\neval "$2"`) };
}
const FROM_A_MENU = { TERM: '', SIGNALBOX_CLAUDE: 'claude' };

describe('started from a desktop menu', () => {
  test('the agent is found where the login shell has it', async () => {
    await using world = await DesktopWorld.create([WORKS]);
    const { folder, shell } = person(world);
    const SHELL = shell(`echo Hello; export PATH="${folder}:$PATH"`);
    const app = await world.start({ args: ['--hidden'], env: { ...FROM_A_MENU, SHELL } });
    await world.relay.addProject('invoices', { withoutTests: true });
    const task = await world.relay.addTask('invoices', 'Write a note', 'Write it.');
    await world.relay.untilItem('approve', task);
    expect(app.output).not.toContain('Hello');
  });

  test('a shell that hangs delays the hub by three seconds, and doctor says what that means', async () => {
    await using world = await DesktopWorld.create();
    const { shell } = person(world);
    const SHELL = shell('sleep 600');
    const app = await world.start({ env: { ...FROM_A_MENU, SHELL } });
    const page = await app.page();
    const doctor = await page.evaluate(() => signalbox.call('query', 'hub.doctor', undefined));
    const note = doctor.value.checks.find(({ name }) => name === 'PATH');
    expect([note?.status, note?.found]).toEqual([
      'warning',
      expect.stringContaining('their-shell did not answer within 3 seconds'),
    ]);
  });
});
