import type { Command } from 'commander';
import type { DoctorCheck, DoctorView } from '../../../src-shared/api/doctor.ts';
import { seconds } from '../../../src-shared/time.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { VERSION } from '../../hub/version.ts';
import { findHub } from './connect.ts';
import { define } from './define.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';

const HUB_MAY_TAKE = seconds(3);

const MARKS: Readonly<Record<DoctorCheck['status'], string>> = { ok: 'ok', warning: '! ', problem: 'NO' };

export function renderDoctor(view: DoctorView): string {
  const width = Math.max(...view.checks.map((check) => check.name.length));
  return view.checks
    .flatMap((check) => [
      `${MARKS[check.status]}  ${check.name.padEnd(width)}  ${visibleLine(check.found)}`,
      ...(check.fix === undefined ? [] : [`    ${' '.repeat(width)}  → ${visibleLine(check.fix)}`]),
    ])
    .join('\n');
}

/** Asks for no more than what came since the last check; what takes longer is left to whoever asks for it. */
async function chainInHub(host: Host): Promise<number | null> {
  const hub = await findHub(host);
  if (hub === null) return null;
  const late = Promise.withResolvers<null>();
  const timer = host.clock.after(HUB_MAY_TAKE, () => late.resolve(null));
  try {
    const asked = hub.client.ledger.verify.query({ full: false }).catch(() => null);
    return (await Promise.race([asked, late.promise]))?.brokenAt ?? null;
  } finally {
    timer.dispose();
    await hub.close();
  }
}

/** `doctor` */
export function addDoctorCommand(program: Command, host: Host): void {
  define(program, 'doctor', 'check what Signalbox needs, with a fix for each problem', [
    'signalbox doctor',
  ]).action(async () => {
    const { runDoctor } = await import('../../hub/doctor.ts');
    const { env, folder, clock } = host;
    const checks = await runDoctor({ env, folder, clock, chainInHub: () => chainInHub(host) });
    const view: DoctorView = {
      ok: checks.every((check) => check.status !== 'problem'),
      version: VERSION,
      checks: [...checks],
    };
    host.out.value(view, () => renderDoctor(view));
    if (!view.ok) host.setExitCode(EXIT.failed);
  });
}
