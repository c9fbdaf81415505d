import { useCall } from '../api/api.tsx';

export interface ProjectSummary {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly slots: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** What header, sidebar and bands show. */
export function useSummary() {
  const status = useCall('hub.status', undefined).data;
  const items = useCall('inbox.list', {}).data;
  const projects: ProjectSummary[] = (status?.projects ?? [])
    .map(({ name, enabled, slots, inUse }) => ({
      name,
      isEnabled: enabled,
      slots,
      inUse,
      waiting: (items ?? []).filter((item) => item.project === name).length,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return {
    status,
    running: projects.reduce((sum, project) => sum + project.inUse, 0),
    waiting: items?.length ?? 0,
    projects,
  };
}
