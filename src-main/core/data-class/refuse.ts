import { AppError } from '../../../src-shared/errors.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import { scanText } from './scan.ts';

/**
 * Refuses a text that a person wrote for a synthetic project when it looks like real personal data.
 *
 * @param what names the text, e.g. "the answer"
 * @throws AppError 'data-class-hit' with rule and place, never the value (10-relay, Data class)
 */
export function refusePersonalData(project: Project, what: string, text: string): void {
  if (project.settings.dataClass === 'real') return;
  const hits = scanText(text, {
    denyNames: project.settings.denyNames,
    patterns: project.settings.dataPatterns,
  });
  const first = hits[0];
  if (first === undefined) return;
  const more = hits.length === 1 ? '' : `, and ${hits.length - 1} more`;
  throw new AppError(
    'data-class-hit',
    `${what} looks like real personal data: rule "${first.rule}" at line ${first.line}, column ${first.column}${more}.`,
    { hint: `Project ${project.name} takes synthetic data only. Take the value out and send it again.` },
  );
}
