import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomicSync } from '../../adapters/write-file.ts';

const Size = z.object({
  width: z.number().int().min(800).max(20_000),
  height: z.number().int().min(560).max(20_000),
});
export type Size = z.infer<typeof Size>;

/** The window's size over restarts. Where it stood is not kept: under Wayland nobody knows, and screens come and go. */
export function createSizeFile(file: string): { load(): Size | null; save(size: Size): void } {
  return {
    load: () => {
      try {
        return Size.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        return null;
      }
    },
    save: (size) => {
      try {
        writeFileAtomicSync(file, JSON.stringify(size));
      } catch {
        // The size is no reason to keep a window from closing.
      }
    },
  };
}
