import type { Command } from 'commander';
import { define, group, withSession } from './define.ts';
import type { Host } from './host.ts';
import { renderAgent, renderAgents } from './render-project.ts';
import { agentKeysHelp, parseAgentChange } from './setting-args.ts';

/** `agent list|show|set` */
export function addAgentCommands(program: Command, host: Host): void {
  const agents = group(program, 'agent', 'the registry of agents; their caps hold over all projects', [
    'signalbox agent list',
    'signalbox agent set claude calls_per_day=40',
  ]);
  define(agents, 'list', 'list the agents', ['signalbox agent list']).action(() =>
    withSession(host, async (client) => {
      const list = await client.agent.list.query();
      host.out.value(list, () => renderAgents(list));
    }),
  );
  define(agents, 'show <name>', 'show an agent', ['signalbox agent show claude']).action((name: string) =>
    withSession(host, async (client) => {
      const agent = await client.agent.show.query({ name });
      host.out.value(agent, () => renderAgent(agent));
    }),
  );
  define(agents, 'set <name> <pairs...>', 'change an agent: key=value, key= goes back to the default', [
    'signalbox agent set claude calls_per_day=40',
    'signalbox agent set claude model=',
  ])
    .addHelpText('after', () => `\nKeys (camelCase, kebab-case or snake_case):\n${agentKeysHelp()}`)
    .action(async (name: string, pairs: string[]) => {
      const { change, clear } = parseAgentChange(pairs);
      await withSession(host, async (client) => {
        const agent = await client.agent.change.mutate({ name, change, clear });
        host.out.value(agent, () => renderAgent(agent));
      });
    });
}
