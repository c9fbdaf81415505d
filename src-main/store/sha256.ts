import { createHash } from 'node:crypto';
import type { HashText } from '../core/ports/world.ts';

export const sha256: HashText = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
