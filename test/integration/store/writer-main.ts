// Writes transactions until it is killed; prints a line in the middle of each.
import { writeSync } from 'node:fs';
import { openStore } from '../../../src-main/store/open-store.ts';
import type { ProjectId } from '../../../src-shared/ids.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { TestIds } from '../../support/test-ids.ts';

const [folder = '', seed = ''] = process.argv.slice(2);
const ids = new TestIds(Number(seed));
const clock = new FakeClock();
const stores = openStore({ folder, clock, ids });
for (;;) {
  stores.transaction(() => {
    stores.ledger.append({ kind: 'task.adding' });
    const task = stores.tasks.insert({
      id: ids.next('task'),
      projectId: 'prj_a' as ProjectId,
      title: 't',
      description: 'd'.repeat(5000),
      state: 'ready',
      position: stores.tasks.endOfQueue('prj_a' as ProjectId),
      runId: null,
      endedReason: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      readyAt: null,
    });
    writeSync(1, `${task.number}\n`);
    stores.ledger.append({ kind: 'task.added', taskId: task.id });
  });
}
