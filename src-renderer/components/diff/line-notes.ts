/** What a person says about one line of a diff. */
export interface LineNote {
  readonly path: string;
  /** Key of the change within its file, as `getChangeKey` gives it. */
  readonly key: string;
  readonly line: number;
  /** The line is only in the file as it was before. */
  readonly isOld: boolean;
  /** The line itself, so that the agent finds it. */
  readonly code: string;
  readonly text: string;
}

const LONGEST_CODE = 200;

/** One text for the agent: what is said of the whole, then each note with its place, in the order of the diff. */
export function noteText(general: string, notes: readonly LineNote[]): string {
  const lines = notes.map(({ path, line, isOld, code, text }) => {
    const place = `${path}, line ${line}${isOld ? ' (before the change)' : ''}`;
    const quoted = code.trim().slice(0, LONGEST_CODE);
    return `${place}${quoted === '' ? '' : `: \`${quoted}\``}\n${text.trim()}`;
  });
  return [general.trim(), ...lines].filter((part) => part !== '').join('\n\n');
}

/** With the note in place of an earlier one on the same line; an empty text takes it away. */
export function withNote(notes: readonly LineNote[], note: LineNote): readonly LineNote[] {
  const isSame = (each: LineNote): boolean => each.path === note.path && each.key === note.key;
  const at = notes.findIndex(isSame);
  const rest = notes.filter((each) => !isSame(each));
  if (note.text.trim() === '') return rest;
  return at === -1 ? [...rest, note] : notes.map((each) => (isSame(each) ? note : each));
}
