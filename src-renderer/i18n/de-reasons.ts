import type { enReasons } from './en-reasons.ts';
import type { Words } from './words.ts';

export const deReasons: Words<typeof enReasons> = {
  failed: 'Gescheitert: {{why}}',
  failure: {
    'no-structured-output': 'keine strukturierte Antwort',
    'no-question': 'eine Frage ohne Worte',
    'schema-retries': 'keine Antwort in der verlangten Form',
    budget: 'die Kostengrenze eines Aufrufs ist erreicht',
    'max-turns': 'die Grenze der Modellantworten ist erreicht',
    login: 'Claude Code braucht eine Anmeldung',
    'not-logged-in': 'Claude Code braucht eine Anmeldung',
    'rate-limit': 'zu viele Anfragen',
    'usage-limit': 'Nutzungsgrenze erreicht',
    overload: 'das Modell ist überlastet',
    connection: 'der Modelldienst war nicht zu erreichen',
    billing: 'das Konto bezahlt keine Aufrufe',
    'model-not-found': 'das Modell wurde nicht gefunden',
    'prompt-too-long': 'das Gespräch ist zu lang',
    'session-in-use': 'die Sitzung ist belegt',
    'unknown-session': 'die Sitzung ist nicht bekannt',
    'bad-request': 'der Modelldienst hat die Anfrage abgelehnt',
    'wrong-arguments': 'Claude Code nahm seine Argumente nicht an',
    error: 'ein Fehler von Claude Code',
  },
  ended: {
    killed: 'Vom Notaus angehalten',
    hubEnded: 'Der Hub endete',
    interrupted: 'Unterbrochen',
    stopped: 'Angehalten',
    stepBroke: 'Sein Schritt ging schief',
    baseMoved: 'Die Basis ist seit den Tests weitergegangen',
    rejected: 'Abgelehnt',
    givenUp: 'Aufgegeben',
    nothingChanged: 'Nichts geändert',
    onBranch: 'Bleibt auf seinem Zweig',
  },
};
