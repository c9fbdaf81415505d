import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { useCall } from '../api/api.tsx';

export type ProjectSummary = HubSummaryView['projects'][number];

/** What header, sidebar and bands show; undefined before the first answer. Projects by name, never reordered. */
export function useSummary(): HubSummaryView | undefined {
  const { data } = useCall('hub.summary', undefined);
  return data;
}

export const byName = (projects: readonly ProjectSummary[]): ProjectSummary[] =>
  [...projects].sort((a, b) => a.name.localeCompare(b.name));
