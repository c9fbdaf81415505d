import type { enKeys } from './en-keys.ts';
import type { Words } from './words.ts';

export const deKeys: Words<typeof enKeys> = {
  title: 'Tasten',
  close: 'Schließen',
  kill: 'Notaus auslösen',
  palette: 'Suchen oder Befehl ausführen',
  primary: 'Hauptaktion des Eintrags (nicht bei Erlaubnissen)',
  go: 'Eingang, Tafel, Hauptbuch, Einstellungen',
  undo: 'Rückgängig, solange die Meldung steht',
  files: 'Nächste, vorige Datei',
  task: 'Aufgabe öffnen',
  area: 'Nächster Bereich',
  items: 'Nächster, voriger Eintrag',
  enter: 'In den Eintrag; zurück zur Liste',
  digits: 'Diese Antwort oder Aktion',
  reply: 'Ins Antwortfeld',
  back: 'Zurücksenden / Ablehnen',
  viewed: 'Gesehen / Anmerkung zur Zeile',
  latest: 'Zur neuesten Zeile',
  help: 'Diese Liste',
  then: 'dann',
  or: 'oder',
};
