import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ScriptedTurnArguments } from './scripted-arguments.ts';
import { forkOne } from './scripted-forks.ts';
import {
  API_ERRORS,
  assistantLine,
  fullModelName,
  resetSentence,
  resultLine,
  syntheticLine,
  toolResultLine,
} from './scripted-output.ts';
import type { Fields } from './scripted-output.ts';
import { pause, print, printLine } from './scripted-print.ts';
import type { ScenarioStep, ScriptedApiError } from './scripted-scenario.ts';
import type { ScriptedSession } from './scripted-session.ts';

export interface TurnContext {
  readonly args: ScriptedTurnArguments;
  readonly cwd: string;
  readonly session: ScriptedSession;
  readonly usdPerReply: number;
  readonly forked: (children: readonly number[]) => void;
}

/** How a turn ended; `null` subtype means that no result was printed. */
export interface TurnEnd {
  readonly exitCode: number;
  readonly subtype: string | null;
}

type Answer = { readonly fields: Fields; readonly exitCode: number; readonly question: string | null };
type StepOf<K extends ScenarioStep['do']> = Extract<ScenarioStep, { do: K }>;

const CLEAN = { subtype: 'success', is_error: false, api_error_status: null } as const;

const structured = (value: unknown): Answer => {
  const status = typeof value === 'object' && value !== null ? (value as Fields) : {};
  const question = status['status'] === 'question' ? status['question'] : null;
  return {
    fields: { ...CLEAN, result: JSON.stringify(value), structured_output: value },
    exitCode: 0,
    question: typeof question === 'string' ? question : null,
  };
};

const LIMITS = {
  budget: (usd: number): Fields => ({
    subtype: 'error_max_budget_usd',
    terminal_reason: 'budget_exhausted',
    errors: [`Reached maximum budget ($${usd})`],
  }),
  'max-turns': (): Fields => ({
    subtype: 'error_max_turns',
    terminal_reason: 'max_turns',
    errors: ['Reached maximum number of turns (1)'],
  }),
  'schema-retries': (): Fields => ({
    subtype: 'error_max_structured_output_retries',
    terminal_reason: 'structured_output_retry_exhausted',
    errors: ['Failed to provide valid structured output after 5 attempts'],
  }),
};

/** Plays the steps of one turn: prints what the CLI would, does what its tools would do, counts what it costs. */
export class ScriptedTurn {
  readonly #context: TurnContext;
  readonly #startedAt = performance.now();
  readonly #denials: Fields[] = [];
  #replies = 0;
  /** Set when the turn has its end; later steps do not happen. */
  #answer: Answer | null = null;
  #sessionId: string;
  isSigtermIgnored = false;

  constructor(context: TurnContext) {
    this.#context = context;
    this.#sessionId = context.args.sessionId;
  }

  /** @returns how it ended, unless a step ended the process itself */
  async play(steps: readonly ScenarioStep[]): Promise<TurnEnd> {
    for (const step of [...steps, { do: 'done' } as const]) {
      const exit = await this.#play(step);
      if (exit !== null) return { exitCode: exit, subtype: null };
      if (this.#answer !== null) return this.#end(this.#answer);
    }
    throw new Error('A turn always ends with its last step.');
  }

  /** @returns an exit code to leave with at once and without a result, else null */
  async #play(step: ScenarioStep): Promise<number | null> {
    switch (step.do) {
      case 'say':
        await this.#reply({ type: 'text', text: step.text });
        return null;
      case 'read':
      case 'write':
      case 'edit':
        await this.#useFile(step);
        return null;
      case 'denied':
        await this.#deny(step);
        return null;
      case 'ask': {
        const { question, options, summary = 'Needs a decision.' } = step;
        await this.#hand({ status: 'question', question, ...(options ? { options } : {}), summary });
        return null;
      }
      case 'done-as':
        this.#sessionId = step.sessionId;
        await this.#hand({ status: 'done', summary: 'Done.' });
        return null;
      case 'done': {
        const { summary = 'Done.', remove, rename } = step;
        await this.#hand({
          status: 'done',
          summary,
          ...(remove ? { remove } : {}),
          ...(rename ? { rename } : {}),
        });
        return null;
      }
      case 'structured':
        await this.#hand(step.value);
        return null;
      case 'text':
        await this.#reply({ type: 'text', text: step.text });
        this.#answer ??= {
          fields: { ...CLEAN, result: step.text, stop_reason: 'end_turn' },
          exitCode: 0,
          question: null,
        };
        return null;
      case 'api-error':
        await this.#failAtService(step.error, step.resetsAt);
        return null;
      case 'limit':
        this.#answer = this.#limit(step.limit);
        return null;
      case 'exit':
        if (step.stderr !== undefined) await print(process.stderr, `${step.stderr}\n`);
        return step.code;
      case 'die':
        process.removeAllListeners(step.signal);
        process.kill(process.pid, step.signal);
        return hangForEver();
      case 'hang':
        return hangForEver();
      case 'retry':
        await this.#line({
          type: 'system',
          subtype: 'api_retry',
          attempt: 1,
          max_retries: Number(process.env['CLAUDE_CODE_MAX_RETRIES'] ?? 10),
          retry_delay_ms: step.delayMs,
          error_status: step.status,
          error: step.error,
          session_id: this.#sessionId,
        });
        return null;
      case 'limit-event':
        await this.#limitEvent(step.status, step.resetsAt);
        return null;
      case 'wait':
      case 'wait-for-file':
      case 'touch':
      case 'line':
      case 'raw':
      case 'stderr':
      case 'flood':
      case 'ignore-sigterm':
      case 'fork':
        await this.#happen(step);
        return null;
    }
  }

  async #happen(
    step: StepOf<
      'wait' | 'wait-for-file' | 'touch' | 'line' | 'raw' | 'stderr' | 'flood' | 'ignore-sigterm' | 'fork'
    >,
  ): Promise<void> {
    switch (step.do) {
      case 'wait':
        return pause(step.ms);
      case 'wait-for-file':
        while (!existsSync(this.#path(step.path))) await pause(10);
        return;
      case 'touch':
        return writeFileSync(this.#path(step.path), '');
      case 'line':
        if (this.#context.args.outputForm === 'stream-json') await print(process.stdout, `${step.text}\n`);
        return;
      case 'raw':
        for (let left = step.repeat ?? 1; left > 0; left -= 1) await print(process.stdout, step.text);
        return;
      case 'stderr':
        return print(process.stderr, `${step.text}\n`);
      case 'flood':
        return this.#flood(step.count ?? Infinity, step.bytes ?? 1_000);
      case 'ignore-sigterm':
        this.isSigtermIgnored = true;
        return;
      case 'fork': {
        const { detached = false, ignoreSigterm = false, holdOutput = false } = step;
        const options = { detached, ignoreSigterm, holdOutput };
        this.#context.forked(await Promise.all(Array.from({ length: step.count }, () => forkOne(options))));
      }
    }
  }

  async #flood(count: number, bytes: number): Promise<void> {
    const text = 'x'.repeat(bytes);
    for (let sent = 0; sent < count; sent += 1) {
      const line = { type: 'system', subtype: 'informational', text, session_id: this.#sessionId };
      await print(process.stdout, `${JSON.stringify(line)}\n`);
      // Writing to a pipe blocks: without this no signal would ever be seen.
      if (sent % 64 === 0) await pause(0);
    }
  }

  async #useFile(step: StepOf<'read' | 'write' | 'edit'>): Promise<void> {
    const file = this.#path(step.path);
    const id = `toolu_${randomUUID()}`;
    const use = (name: string, input: Fields): Promise<boolean> =>
      this.#reply({ type: 'tool_use', id, name, input: { file_path: file, ...input } });
    let text = '';
    let isError = false;
    if (step.do === 'read') {
      if (!(await use('Read', {}))) return;
      isError = !existsSync(file);
      text = isError ? 'File does not exist.' : readFileSync(file, 'utf8');
    } else if (step.do === 'write') {
      if (!(await use('Write', { content: step.content }))) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, step.content);
      text = `File created successfully at: ${file}`;
    } else {
      if (!(await use('Edit', { old_string: step.from, new_string: step.to }))) return;
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      isError = !before.includes(step.from);
      text = isError ? 'String to replace not found in file.' : `The file ${file} has been updated.`;
      if (!isError)
        writeFileSync(
          file,
          before.replace(step.from, () => step.to),
        );
    }
    await this.#line(toolResultLine(this.#sessionId, id, text, isError));
  }

  async #deny(step: StepOf<'denied'>): Promise<void> {
    const file = this.#path(step.path);
    const id = `toolu_${randomUUID()}`;
    const input = { file_path: file, content: '' };
    if (!(await this.#reply({ type: 'tool_use', id, name: step.tool, input }))) return;
    const message =
      step.reason ??
      `${file} is outside ${this.#context.cwd}; --restricted confines the file tools to the working directory.`;
    this.#denials.push({ tool_name: step.tool, tool_use_id: id, tool_input: input });
    await this.#line({
      type: 'system',
      subtype: 'permission_denied',
      tool_name: step.tool,
      tool_use_id: id,
      decision_reason: '--restricted: path outside the working directory',
      message,
      session_id: this.#sessionId,
    });
    await this.#line(toolResultLine(this.#sessionId, id, message, true));
  }

  /** The final call of the tool that the schema became. */
  async #hand(value: unknown): Promise<void> {
    const id = `toolu_${randomUUID()}`;
    if (!(await this.#reply({ type: 'tool_use', id, name: 'StructuredOutput', input: value }))) return;
    await this.#line(toolResultLine(this.#sessionId, id, 'Structured output provided successfully', false));
    this.#answer = structured(value);
  }

  /** One reply of the model. @returns false when it crossed the budget: then it is thrown away */
  async #reply(block: Fields): Promise<boolean> {
    const { args, session } = this.#context;
    this.#replies += 1;
    await this.#line(
      assistantLine(this.#sessionId, fullModelName(args.model), `msg_scripted_${this.#replies}`, block),
    );
    if (this.#spent() > args.budgetUsd) {
      this.#answer = this.#limit('budget');
      return false;
    }
    session.recordReply(JSON.stringify(block));
    return true;
  }

  #spent(): number {
    return this.#replies * this.#context.usdPerReply;
  }

  #limit(limit: keyof typeof LIMITS): Answer {
    const fields = LIMITS[limit](this.#context.args.budgetUsd);
    return { fields: { ...fields, is_error: true, stop_reason: null }, exitCode: 1, question: null };
  }

  async #limitEvent(status: string, resetsAt: number | undefined): Promise<void> {
    const info = { status, ...(resetsAt === undefined ? {} : { resetsAt }), rateLimitType: 'five_hour' };
    await this.#line({ type: 'rate_limit_event', rate_limit_info: info, session_id: this.#sessionId });
  }

  async #failAtService(name: ScriptedApiError, resetsAt: number | undefined): Promise<void> {
    const error = API_ERRORS[name];
    if (name === 'usage-limit') await this.#limitEvent('rejected', resetsAt);
    const text = name === 'usage-limit' && resetsAt !== undefined ? resetSentence(resetsAt) : error.text;
    await this.#line(syntheticLine(this.#sessionId, error, text));
    this.#answer = {
      fields: {
        subtype: 'success',
        is_error: true,
        stop_reason: 'stop_sequence',
        terminal_reason: error.reason ?? 'api_error',
        api_error_status: error.status,
        ...(error.type === null ? {} : { api_error_type: error.type }),
        ...error.more,
        result: text,
      },
      exitCode: 1,
      question: null,
    };
  }

  async #end(answer: Answer): Promise<TurnEnd> {
    const { args, session } = this.#context;
    const turn = { replies: this.#replies, usd: this.#spent() };
    session.recordEnd({ ...turn, question: answer.question });
    await printLine(
      resultLine({
        sessionId: this.#sessionId,
        model: fullModelName(args.model),
        outputForm: args.outputForm,
        total: { replies: session.totalReplies + turn.replies, usd: session.totalUsd + turn.usd },
        turn,
        denials: this.#denials,
        durationMs: Math.round(performance.now() - this.#startedAt),
        fields: answer.fields,
      }),
    );
    return { exitCode: answer.exitCode, subtype: String(answer.fields['subtype']) };
  }

  async #line(value: Fields): Promise<void> {
    if (this.#context.args.outputForm === 'stream-json') await printLine(value);
  }

  #path(file: string): string {
    return path.resolve(this.#context.cwd, file);
  }
}

/** Keeps the process alive without doing anything. */
const hangForEver = (): Promise<never> =>
  new Promise(() => {
    setInterval(() => undefined, 2 ** 30);
  });
