import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSummary } from '../../app/use-summary.ts';
import { readKept, writeKept } from '../../hooks/use-kept.ts';

const SEEN = 'first-run-left';

/** Remembers that the person has been through the first steps, or has left them. */
export const leaveFirstRun = (): void => writeKept(SEEN, true);

/**
 * Without any project the window starts with the first steps, until the person leaves them: what is being typed there
 * stays when a project comes from elsewhere, and that page is where projects are added anyway.
 */
export function useFirstRun(): void {
  const summary = useSummary();
  const [location, navigate] = useLocation();
  const hasNone = summary?.projects.length === 0;
  useEffect(() => {
    if (!hasNone || !['', '/', '/inbox'].includes(location) || readKept(SEEN, false)) return;
    navigate('/first-run', { replace: true });
  }, [hasNone, location, navigate]);
}
