import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf, test } from 'vitest';
import type { AppRouter } from '../../../src-main/api/router.ts';
import type { Calls, SubscriptionName } from '../../../src-shared/api/calls.ts';

/** `{ hub: { ping: X } }` → `{ 'hub.ping': X }`. */
type Flat<Tree> = {
  [
    Name in {
      [Noun in keyof Tree & string]: `${Noun}.${keyof Tree[Noun] & string}`;
    }[keyof Tree & string]
  ]: Name extends `${infer Noun}.${infer Verb}`
    ? Noun extends keyof Tree
      ? Verb extends keyof Tree[Noun]
        ? Tree[Noun][Verb]
        : never
      : never
    : never;
};
type Inputs = Flat<inferRouterInputs<AppRouter>>;
type Outputs = Flat<inferRouterOutputs<AppRouter>>;
/** What a client gets has been through JSON; these are the answers without what a subscription wraps them in. */
type Answers = { [Name in Exclude<keyof Calls, SubscriptionName>]: Calls[Name]['output'] };

// Checked by the compiler (`npm run types`), not by running them.
test('the list of calls names exactly the calls of the router', () => {
  expectTypeOf<keyof Calls>().toEqualTypeOf<keyof Outputs>();
});

test('what the list lets a client send, the router takes', () => {
  expectTypeOf<{ [Name in keyof Calls]: Calls[Name]['input'] }>().toExtend<Inputs>();
});

test('what the router answers is what the list promises', () => {
  expectTypeOf<Pick<Outputs, keyof Answers>>().toExtend<Answers>();
});
