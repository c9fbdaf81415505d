import { z } from 'zod';

export const DoctorCheck = z.object({
  name: z.string(),
  /** A `warning` leaves the relay usable. */
  status: z.enum(['ok', 'warning', 'problem']),
  /** What was found, in one line. */
  found: z.string(),
  /** What to do about it. */
  fix: z.string().optional(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;

/** `signalbox doctor`; `ok` is false when any check is a problem (exit 1). */
export const DoctorView = z.object({ ok: z.boolean(), version: z.string(), checks: z.array(DoctorCheck) });
export type DoctorView = z.infer<typeof DoctorView>;
