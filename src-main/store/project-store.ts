import type { Project } from '../../src-shared/model/project.ts';
import type { ProjectStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, flag, json, plain } from './table.ts';

const PROJECT = new Table<Project>('project', ['id'], {
  id: plain('id'),
  name: plain('name'),
  path: plain('path'),
  baseBranch: plain('base_branch'),
  slots: plain('slots'),
  isEnabled: flag('is_enabled'),
  disabledReason: plain('disabled_reason'),
  isPaused: flag('is_paused'),
  settings: json('settings_json'),
  facts: json('facts_json'),
  createdAt: plain('created_at'),
  removedAt: plain('removed_at'),
});

export const createProjectStore = (db: Connection): ProjectStore => ({
  insert: (project) => PROJECT.insert(db, project),
  update: (project) => PROJECT.update(db, project),
  get: (id) => PROJECT.one(db, 'WHERE id = @id', { id }),
  byName: (name) => PROJECT.one(db, 'WHERE name = @name AND removed_at IS NULL', { name }),
  byRoot: (root) => PROJECT.one(db, 'WHERE root = @root AND removed_at IS NULL', { root }),
  list: (options) =>
    PROJECT.many(
      db,
      options?.withRemoved === true ? 'ORDER BY name, id' : 'WHERE removed_at IS NULL ORDER BY name, id',
    ),
});
