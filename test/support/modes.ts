import { statSync } from 'node:fs';

/** Permission bits of a file or folder. */
export const modeOf = (file: string): number => statSync(file).mode & 0o777;
