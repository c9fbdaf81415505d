/**
 * What the scripted `claude` does, as a JSON file. Tests and the demo write one; types only, so that writing one
 * costs nothing.
 *
 * The program looks for it at `SIGNALBOX_SCRIPTED`, then at `CLAUDE_SCRIPTED_SCENARIO` (which passes the
 * allowlist of children), then at `<HOME>/.scripted-claude.json`. Without one it plays the demo: it asks the
 * rounding question in the first turn of a session and, once answered, edits the small module in its working
 * folder.
 *
 * ```json
 * { "rules": [
 *   { "match": { "turn": 1 }, "steps": [{ "do": "ask", "question": "Which?", "options": ["a", "b"] }] },
 *   { "match": { "prompt": "tests failed" }, "times": 1, "steps": [{ "do": "api-error", "error": "overload" }] },
 *   { "steps": [{ "do": "write", "path": "a.txt", "content": "A\n" }, { "do": "done", "summary": "Wrote a." }] }
 * ] }
 * ```
 *
 * The first rule that matches and is not used up is played. Each launch, each prompt that was received and each
 * end by itself is one line of `<scenario file>.log` (see `ScriptedLogEntry`); without a scenario the log is
 * `scripted-claude.log` in the configuration folder. Sessions lie where the real CLI keeps them.
 */
export interface Scenario {
  readonly rules: readonly ScenarioRule[];
  /** What `claude auth status` says; logged in with an API key unless given. */
  readonly auth?: { readonly loggedIn: boolean; readonly authMethod?: string };
  /** What `--version` says; 2.1.332 unless given. */
  readonly version?: string;
  /** Price of one reply of the model, 0.0029 unless given. Each step that is a reply costs it. */
  readonly usdPerReply?: number;
}

export interface ScenarioRule {
  readonly match?: ScenarioMatch;
  /** How many turns may take this rule, over all processes; no limit unless given. */
  readonly times?: number;
  /** Played in order. When they run out the turn is done. */
  readonly steps: readonly ScenarioStep[];
  /**
   * When the prompt is in the session's history: as soon as it was read, or only with the result, which is what
   * a kill in the first 50 ms looks like afterwards (PROTOCOL.md, surprise 14).
   */
  readonly history?: 'at-once' | 'with-result';
}

/** All that are given must hold. */
export interface ScenarioMatch {
  /** Part of the working folder. */
  readonly cwd?: string;
  /** A file that must be in the working folder, to tell projects apart. */
  readonly file?: string;
  /** Part of the prompt. */
  readonly prompt?: string;
  /** Part of the prompt or of an earlier one of the session: what an agent that forgets nothing knows. */
  readonly conversation?: string;
  /** Prompts of the session so far plus this one: 1 is the first. */
  readonly turn?: number;
  readonly session?: 'new' | 'resume';
}

/** How a turn can fail at the model service. */
export type ScriptedApiError =
  | 'not-logged-in'
  | 'login'
  | 'forbidden'
  | 'rate-limit'
  | 'usage-limit'
  | 'overload'
  | 'server'
  | 'connection'
  | 'billing'
  | 'model-not-found'
  | 'prompt-too-long'
  | 'bad-request';

/** Paths are relative to the working folder; absolute ones are taken as they are. */
export type ScenarioStep =
  // Replies of the model, each with its price.
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  /** The first occurrence; a file without it makes the tool fail and the turn go on. */
  | { readonly do: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  /** A call that the CLI denies: nothing is written. */
  | { readonly do: 'denied'; readonly tool: string; readonly path: string; readonly reason?: string }
  // Ends of a turn with a structured answer.
  | {
      readonly do: 'ask';
      readonly question: string;
      readonly options?: readonly string[];
      readonly summary?: string;
    }
  | {
      readonly do: 'done';
      readonly summary?: string;
      readonly remove?: readonly string[];
      readonly rename?: readonly { readonly from: string; readonly to: string }[];
    }
  /** Any value in the place of the answer. */
  | { readonly do: 'structured'; readonly value: unknown }
  // Ends without one.
  /** Plain text and no structured answer: a clean success of the CLI. */
  | { readonly do: 'text'; readonly text: string }
  | {
      readonly do: 'api-error';
      readonly error: ScriptedApiError;
      /** For a usage limit: seconds since 1970. */
      readonly resetsAt?: number;
    }
  | { readonly do: 'limit'; readonly limit: 'budget' | 'max-turns' | 'schema-retries' }
  /** The session id in the result, and the result of a `done`. */
  | { readonly do: 'done-as'; readonly sessionId: string }
  | { readonly do: 'exit'; readonly code: number; readonly stderr?: string }
  | { readonly do: 'die'; readonly signal: 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' }
  | { readonly do: 'hang' }
  // What happens on the way.
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits until the file is there: how a test holds a turn open. */
  | { readonly do: 'wait-for-file'; readonly path: string }
  /** Makes an empty file, outside of what the model is said to have done: how a test sees where a turn is. */
  | { readonly do: 'touch'; readonly path: string }
  | {
      readonly do: 'retry';
      readonly status: number | null;
      readonly error: string;
      readonly delayMs: number;
    }
  | { readonly do: 'limit-event'; readonly status: string; readonly resetsAt?: number }
  /** A line on stdout as it stands (stream form only). */
  | { readonly do: 'line'; readonly text: string }
  /** Text on stdout without a newline, in any form. */
  | { readonly do: 'raw'; readonly text: string; readonly repeat?: number }
  | { readonly do: 'stderr'; readonly text: string }
  /** `count` stream lines of about `bytes` each; without `count` it never ends. */
  | { readonly do: 'flood'; readonly count?: number; readonly bytes?: number }
  | { readonly do: 'ignore-sigterm' }
  /** Starts processes that live until they are killed. They inherit the environment, the owner mark with it. */
  | {
      readonly do: 'fork';
      readonly count: number;
      /** In sessions and process groups of their own. */
      readonly detached?: boolean;
      readonly ignoreSigterm?: boolean;
      /** They hold stdout open, as a careless server does. */
      readonly holdOutput?: boolean;
    };

/** One line of the log beside the scenario. */
export type ScriptedLogEntry =
  | {
      readonly event: 'launch';
      readonly pid: number;
      readonly cwd: string;
      readonly argv: readonly string[];
      /** Names only, sorted. */
      readonly environment: readonly string[];
    }
  | {
      readonly event: 'prompt';
      readonly pid: number;
      readonly sessionId: string;
      readonly session: 'new' | 'resume';
      /** From 1, in this session. */
      readonly turn: number;
      readonly rule: number | null;
      readonly prompt: string;
    }
  | { readonly event: 'forked'; readonly pid: number; readonly children: readonly number[] }
  | {
      readonly event: 'end';
      readonly pid: number;
      readonly exitCode: number;
      readonly subtype: string | null;
    };
