import { loadRouters } from '../api/router.ts';

/**
 * Loads what a hub loads only when somebody asks for it. Done once it works, rather than with the first question: its
 * files may be replaced below a hub that runs for weeks.
 */
export async function loadParts(): Promise<void> {
  await Promise.all([
    loadRouters(),
    import('../api/machine-router.ts'),
    import('./doctor.ts'),
    import('../store/examine-store.ts'),
    import('../store/hub-lock.ts'),
    import('../adapters/local-socket/message-handler.ts'),
    import('ws'),
  ]);
}
