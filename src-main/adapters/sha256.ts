import { hash } from 'node:crypto';
import type { HashText } from '../core/ports/world.ts';

/** Lower-case hex SHA-256 of the UTF-8 text; a lone surrogate counts as U+FFFD, as in every UTF-8 encoder. */
export const sha256: HashText = (text) => hash('sha256', text, 'hex');
