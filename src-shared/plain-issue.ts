import type { core } from 'zod';

/** The library's own sentences begin so; a message of ours is taken as it is. */
const OF_THE_LIBRARY = /^(Invalid|Too small|Too big|Unrecognized|Expected)/;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** `5 characters`, `1 entry`, or the number alone. */
function amountOf(origin: string, amount: number | bigint): string {
  const one = Number(amount) === 1;
  if (origin === 'string') return `${amount} ${one ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `${amount} ${one ? 'entry' : 'entries'}`;
  return String(amount);
}

const isMissing = (issue: core.$ZodIssue): boolean => issue.message.includes('received undefined');

function problemOf(issue: core.$ZodIssue): string {
  if (!OF_THE_LIBRARY.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is missing' : `has to be ${NOUNS[issue.expected] ?? 'of another kind'}`;
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty';
      return `has to be at least ${amountOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `has to be at most ${amountOf(issue.origin, issue.maximum)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `has to be ${String(issue.values[0])}`
        : `has to be one of ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return 'has to be a whole number';
    default:
      return 'is not valid';
  }
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/**
 * What is wrong with an input, as one sentence for people without the schema library's own words. The value itself is
 * not repeated.
 *
 * @param field what a person calls the place; its path unless given
 */
export function plainIssue(issue: core.$ZodIssue, field: string = issue.path.map(String).join('.')): string {
  if (issue.code === 'unrecognized_keys') {
    const where = field === '' ? '' : `${field}: `;
    return `${where}there is no field ${issue.keys.join(', ')}.`;
  }
  const problem = problemOf(issue);
  // A predicate goes on from the name of the field; a phrase of ours that is none stands after a colon.
  const isPredicate = /^(is|has|must|takes|needs) /.test(problem);
  if (field === '') return sentence(isPredicate ? `the input ${problem}` : problem);
  return `${field}${isPredicate ? '' : ':'} ${problem.replace(/\.$/, '')}.`;
}
