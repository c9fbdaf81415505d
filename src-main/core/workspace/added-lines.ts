/**
 * The new text with every line blanked that the old text has too, so that only added lines are left to scan and
 * each keeps its line number. A line that occurs twice before may occur twice after; a moved line is not added.
 */
export function onlyAddedLines(oldText: string, newText: string): string {
  if (oldText === '') return newText;
  const left = new Map<string, number>();
  for (const line of oldText.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  return newText
    .split('\n')
    .map((line) => {
      const count = left.get(line) ?? 0;
      if (count === 0) return line;
      left.set(line, count - 1);
      return '';
    })
    .join('\n');
}
