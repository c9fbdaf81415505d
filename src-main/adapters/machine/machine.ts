import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';
import type { ConfigFacts, ConfigValue, Machine, Places } from '../../core/ports/machine.ts';
import { DEFAULT_CONFIG, readConfigFile } from '../config-file.ts';
import type { Git } from '../git/git-command.ts';
import { lookAtRepository } from '../git/look-at-repository.ts';
import { listFolders } from './list-folders.ts';

export interface MachineParts {
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly git: Git;
  /** What `signalbox doctor` runs. */
  readonly doctor: () => Promise<readonly DoctorCheck[]>;
}

export function createMachine(parts: MachineParts): Machine {
  const { places, env, homeFolder, git } = parts;

  async function config(): Promise<ConfigFacts> {
    const { file, config: read, lines } = await readConfigFile(places.configFolder);
    const fromEnvironment = env['SIGNALBOX_CLAUDE'];
    const valueOf = (name: ConfigValue['name']): ConfigValue => {
      const standard = DEFAULT_CONFIG[name] ?? null;
      if (name === 'claude' && fromEnvironment !== undefined) {
        return { name, value: fromEnvironment, default: standard, source: 'environment', line: null };
      }
      return {
        name,
        value: read[name] ?? null,
        default: standard,
        source: lines.has(name) ? 'config' : 'default',
        line: lines.get(name) ?? null,
      };
    };
    return { file, values: [valueOf('maxProcesses'), valueOf('undoSeconds'), valueOf('claude')] };
  }

  return {
    places,
    config,
    doctor: parts.doctor,
    folders: (path) => listFolders(path, homeFolder),
    repository: (path) => lookAtRepository({ git, homeFolder, inheritedEnv: env }, path),
  };
}
