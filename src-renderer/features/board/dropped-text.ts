/** Larger files are no description. */
const MOST_BYTES = 200_000;

/**
 * Text of files that were dropped, each below its name; files that are too large or hold a NUL byte are refused.
 *
 * @returns names of the refused ones
 */
export async function droppedText(
  files: readonly Pick<File, 'name' | 'size' | 'text'>[],
): Promise<{ readonly text: string; readonly refused: readonly string[] }> {
  const texts: string[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const text = file.size > MOST_BYTES ? null : await file.text();
    if (text === null || text.includes('\0')) refused.push(file.name);
    else texts.push(`${file.name}:\n\n${text.trimEnd()}`);
  }
  return { text: texts.join('\n\n'), refused };
}
