import { loadSockets } from '../adapters/local-socket/server.ts';
import { loadMachineCalls } from '../api/hub-router.ts';
import { loadRouters } from '../api/router.ts';
import type { Log } from '../core/ports/world.ts';
import { loadDoctor } from './build-services.ts';

/**
 * Loads what a hub loads only when somebody asks for it. Done once it works, rather than with the first question: its
 * files may be replaced below a hub that runs for weeks. Through the functions that ask later, as Node looks for a
 * module's file again when another module asks for it.
 */
export async function loadParts(log: Log): Promise<void> {
  const [doctor] = await Promise.all([loadDoctor(), loadRouters(), loadMachineCalls(), loadSockets()]);
  await doctor.loadChecks();
  log.info('all parts are loaded');
}
