import { z } from 'zod';
import { AgentInput, AgentView, ChangeAgentInput } from '../../src-shared/api/agent.ts';
import { definedFields } from '../../src-shared/api/common.ts';
import {
  AddProjectInput,
  ChangeProjectInput,
  ProjectInput,
  ProjectView,
  RemovedProjectView,
  RemoveProjectInput,
  SetSlotsInput,
} from '../../src-shared/api/project.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Agent } from '../../src-shared/model/agent.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Core } from '../core/services.ts';
import type { Stores } from '../core/ports/stores.ts';
import { nearName } from '../../src-shared/near-name.ts';
import { findProject } from './lookup.ts';
import { projectInspection } from './machine-router.ts';
import { decision, procedure, router } from './trpc.ts';
import { agentView, projectView } from './views.ts';

const view = (ctx: { stores: Stores; core: Core }, project: Project): ProjectView =>
  projectView(ctx.stores, project, ctx.core.projects.figures(project.id));

export const projectRouter = router({
  ...projectInspection,
  list: procedure
    .output(z.array(ProjectView))
    .query(({ ctx }) => ctx.stores.projects.list().map((project) => view(ctx, project))),
  show: procedure
    .input(ProjectInput)
    .output(ProjectView)
    .query(({ ctx, input }) => view(ctx, findProject(ctx.stores, input.project))),
  add: decision
    .input(AddProjectInput)
    .output(ProjectView)
    .mutation(async ({ ctx, input }) => {
      const { path, settings, ...others } = input;
      const project = await ctx.core.projects.add({ path, settings, ...definedFields(others) }, ctx.actor);
      return view(ctx, project);
    }),
  change: decision
    .input(ChangeProjectInput)
    .output(ProjectView)
    .mutation(async ({ ctx, input }) => {
      const { project: ref, ...change } = input;
      const { id } = findProject(ctx.stores, ref);
      return view(ctx, await ctx.core.projects.change(id, definedFields(change), ctx.actor));
    }),
  enable: decision
    .input(ProjectInput)
    .output(ProjectView)
    .mutation(({ ctx, input }) => {
      const { id } = findProject(ctx.stores, input.project);
      return view(ctx, ctx.core.projects.setEnabled(id, true, ctx.actor));
    }),
  disable: decision
    .input(ProjectInput)
    .output(ProjectView)
    .mutation(({ ctx, input }) => {
      const { id } = findProject(ctx.stores, input.project);
      return view(ctx, ctx.core.projects.setEnabled(id, false, ctx.actor));
    }),
  slots: decision
    .input(SetSlotsInput)
    .output(ProjectView)
    .mutation(({ ctx, input }) => {
      const { id } = findProject(ctx.stores, input.project);
      return view(ctx, ctx.core.projects.setSlots(id, input.slots, ctx.actor));
    }),
  remove: decision
    .input(RemoveProjectInput)
    .output(RemovedProjectView)
    .mutation(async ({ ctx, input }) => {
      const { id } = findProject(ctx.stores, input.project);
      const { leftIn } = await ctx.core.projects.remove(id, { purge: input.purge }, ctx.actor);
      return { ok: true, leftIn: [...leftIn] };
    }),
});

/** @throws AppError 'not-found' naming the nearest agent */
function findAgent(core: Core, name: string): Agent {
  const agents = core.agents.list();
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const near = nearName(
    name,
    agents.map((agent) => agent.name),
  );
  throw new AppError('not-found', `No agent is called "${name}".`, {
    hint: near === null ? 'All of them: signalbox agent list' : `Did you mean "${near}"?`,
  });
}

export const agentRouter = router({
  list: procedure
    .output(z.array(AgentView))
    .query(({ ctx }) => ctx.core.agents.list().map((agent) => agentView(ctx, agent))),
  show: procedure
    .input(AgentInput)
    .output(AgentView)
    .query(({ ctx, input }) => agentView(ctx, findAgent(ctx.core, input.name))),
  change: decision
    .input(ChangeAgentInput)
    .output(AgentView)
    .mutation(({ ctx, input }) => {
      const { name } = findAgent(ctx.core, input.name);
      const change = definedFields(input.change);
      return agentView(ctx, ctx.core.agents.change(name, change, ctx.actor, input.clear));
    }),
});
