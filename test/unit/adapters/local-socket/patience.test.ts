import { expect, test } from 'vitest';
import { LOOKS, patienceFor } from '../../../../src-main/adapters/local-socket/client.ts';

test('a look at a hub that hangs is over in seconds; what works, or may read long, has its time', () => {
  for (const path of LOOKS) expect(patienceFor(`/${path}`)).toBe(10_000);
  for (const path of ['inbox.respond', 'task.cancel', 'ledger.verify', 'report.relay', 'hub.doctor'])
    expect(patienceFor(`/${path}`)).toBe(120_000);
});
