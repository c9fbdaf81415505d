import type { Launch } from '../../src-shared/model/task.ts';
import type { LaunchStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Conditions, Table, flag, json, plain } from './table.ts';

const LAUNCH = new Table<Launch>('launch', ['id'], {
  id: plain('id'),
  turnId: plain('turn_id'),
  taskId: plain('task_id'),
  projectId: plain('project_id'),
  agent: plain('agent'),
  ownerMark: plain('owner_mark'),
  pid: plain('pid'),
  processStart: plain('process_start'),
  argv: json('argv_json'),
  state: plain('state'),
  isCall: flag('is_call'),
  localDay: plain('local_day'),
  exitCode: plain('exit_code'),
  signal: plain('signal'),
  startedAt: plain('started_at'),
  endedAt: plain('ended_at'),
});

/** Lists are in the order in which the launches were made. One turn has at most one launch that has not ended. */
export const createLaunchStore = (db: Connection): LaunchStore => ({
  insert: (launch) => LAUNCH.insert(db, launch),
  update: (launch) => LAUNCH.update(db, launch),
  get: (id) => LAUNCH.one(db, 'WHERE id = @id', { id }),
  ofTurn: (turnId) => LAUNCH.many(db, 'WHERE turn_id = @turnId ORDER BY rowid', { turnId }),
  ofTask: (taskId) => LAUNCH.many(db, 'WHERE task_id = @taskId ORDER BY rowid', { taskId }),
  live: () => LAUNCH.many(db, "WHERE state <> 'ended' ORDER BY rowid"),
  callsOn: (day, filter) => {
    const { where, parameters } = new Conditions()
      .always('is_call = 1')
      .always('local_day = @day')
      .when(filter.agent, 'agent = @agent', (agent) => ({ agent }))
      .when(filter.projectId, 'project_id = @projectId', (projectId) => ({ projectId }))
      .among('project_id', filter.projectIds)
      .when(filter.since, 'started_at >= @since', (since) => ({ since }))
      .when(filter.until, 'started_at <= @until', (until) => ({ until }));
    return Number(db.get(`SELECT count(*) AS n FROM launch ${where}`, { ...parameters, day })?.['n'] ?? 0);
  },
});
