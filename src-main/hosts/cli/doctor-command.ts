import type { Command } from 'commander';
import type { DoctorCheck, DoctorView } from '../../../src-shared/api/doctor.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { VERSION } from '../../hub/version.ts';
import { define } from './define.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';

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

/** `doctor` */
export function addDoctorCommand(program: Command, host: Host): void {
  define(program, 'doctor', 'check what Signalbox needs, with a fix for each problem', [
    'signalbox doctor',
  ]).action(async () => {
    const { runDoctor } = await import('../../hub/doctor.ts');
    const checks = await runDoctor(host);
    const view: DoctorView = {
      ok: checks.every((check) => check.status !== 'problem'),
      version: VERSION,
      checks: [...checks],
    };
    host.out.value(view, () => renderDoctor(view));
    if (!view.ok) host.setExitCode(EXIT.failed);
  });
}
