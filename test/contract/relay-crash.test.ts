import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGate } from '../support/model-server/gate.ts';
import { askPerson, finish, type Reply } from '../support/model-server/replies.ts';
import { byTurn, type Script } from '../support/model-server/script.ts';
import { makeRelayPlace, ROUND_TOTAL, type RelayPlace } from './support/relay-place.ts';
import { ANSWER, crash, driveToDone, onceAt, QUESTION, start, WORK } from './support/relay-steps.ts';

let place: RelayPlace;
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

describe('a hub that is killed', () => {
  test('while the first prompt is with the model goes on in the same session', async () => {
    const gate = createGate();
    const { repository, task, hub } = await start(place, byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const { sessionId } = await place.world.task(task);
    await crash(place, hub);
    expect(sessionId).toBe(place.model.requests[0]?.sessionId);
    await place.world.startHub();
    await driveToDone(place, repository, task);
    expect((await place.world.task(task)).sessionId).toBe(sessionId);
  });

  test('in the middle of the work goes on after the steps that were done', async () => {
    const gate = createGate();
    const [read, edit] = ROUND_TOTAL;
    const { repository, task, hub } = await start(
      place,
      byTurn(askPerson(QUESTION), read, edit, onceAt(gate, finish('Rounds to two places.'))),
    );
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await gate.reached;
    await crash(place, hub);
    await place.world.startHub();
    await driveToDone(place, repository, task);
  });

  test('while a question is open keeps the question', async () => {
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await crash(place, hub);
    expect(await place.world.item(question.number)).toEqual(question);
    await place.world.startHub();
    expect(await place.world.item(question.number)).toEqual(question);
    await driveToDone(place, repository, task);
  });

  test('delivers an answer that was given while no hub ran', async () => {
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await crash(place, hub);
    const answered = await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    expect(answered).toMatchObject({ state: 'answered', delivery: 'stored' });
    const again = await place.world.run(['answer', String(question.number), '--text', 'other', '--json']);
    expect(again.exitCode).toBe(5);
    await place.world.startHub();
    await driveToDone(place, repository, task);
    expect(await place.world.item(question.number)).toMatchObject({ delivery: 'seen', answer: ANSWER });
  });

  test('right after an answer was accepted delivers it once', async () => {
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await crash(place, hub);
    await place.world.startHub();
    await driveToDone(place, repository, task);
  });

  test('while the answer is with the model does not deliver it again', async () => {
    const gate = createGate();
    const [read, edit] = ROUND_TOTAL;
    let isFirst = true;
    const readAtGate: Script = async (request) => {
      const reply = await read(request);
      if (!isFirst) return reply;
      isFirst = false;
      return { ...reply, before: gate } as Reply;
    };
    const { repository, task, hub } = await start(
      place,
      byTurn(askPerson(QUESTION), readAtGate, edit, finish('Rounds to two places.')),
    );
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await gate.reached;
    await crash(place, hub);
    await place.world.startHub();
    await driveToDone(place, repository, task);
    expect(await place.world.item(question.number)).toMatchObject({ delivery: 'seen' });
  });
});
