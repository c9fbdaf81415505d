import { createReadStream } from 'node:fs';
import { LONGEST_TEXT } from '../../../src-shared/api/common.ts';
import { AppError, isAppError } from '../../../src-shared/errors.ts';

/** UTF-8 needs at most four bytes a character. */
const MOST_BYTES = LONGEST_TEXT * 4;

/** The last line end belongs to the tool that wrote the text (`echo`, an editor), not to the text. */
export const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

function decode(bytes: Buffer, where: string): string {
  try {
    return withoutLastLineEnd(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    throw new AppError('file-unreadable', `${where} is not UTF-8 text.`, {
      hint: 'Convert it first: iconv -t UTF-8.',
      cause: error,
    });
  }
}

/** Reads no more than a text may have: a device or a pipe may never end. */
async function collect(source: AsyncIterable<Buffer | string>, where: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > MOST_BYTES) throw new AppError('usage', `${where} is longer than ${LONGEST_TEXT} characters.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** @throws AppError 'usage' when more comes than a text may have, 'file-unreadable' when it is not UTF-8 */
export async function readStdin(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  return decode(await collect(stdin, 'Standard input'), 'Standard input');
}

/** @throws AppError 'usage' when it is longer than a text may be, 'file-unreadable' */
export async function readTextFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await collect(createReadStream(path), path);
  } catch (error) {
    if (isAppError(error)) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new AppError('file-unreadable', `${path} cannot be read (${code}).`, {
      hint: 'Name a text file, or give - and the text on standard input.',
      cause: error,
    });
  }
  return decode(bytes, path);
}
