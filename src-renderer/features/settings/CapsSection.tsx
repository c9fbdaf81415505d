import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyView, SettingsView } from '../../../src-shared/api/settings.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { AgentCaps } from './AgentCaps.tsx';
import { capValue } from './caps.ts';
import { sourceOf } from './source-of.ts';
import { useCapText } from './use-cap-text.ts';
import { ValueEditor } from './ValueEditor.tsx';

interface Props {
  readonly policy: PolicyView;
  readonly config: SettingsView['config'];
}

/** The caps of one project or the defaults, who set each, and what happens when it is reached. */
export function CapsSection({ policy, config }: Props) {
  const { t } = useTranslation('settings');
  const capText = useCapText();
  const { say } = useToast();
  const change = useAction('project.change');
  const [chosen, setChosen] = useState<string | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const project = policy.projects.find(({ id }) => id === chosen) ?? policy.projects[0] ?? null;
  const caps = project?.caps ?? policy.defaults;
  const finish = {
    onSuccess: () => setEditing(null),
    onError: (error: { message: string }) => say(t('notChanged', { message: error.message })),
  };
  return (
    <>
      {project !== null && (
        <label className="row cap-project">
          {t('capsOf')}
          <select
            className="field"
            value={project.id}
            onChange={(event) => {
              setEditing(null);
              setChosen(event.target.value);
            }}
          >
            {policy.projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <table aria-label={t('caps')} className="caps">
        <thead>
          <tr>
            <th>{t('head_cap')}</th>
            <th className="num">{t('head_value')}</th>
            <th>{t('head_source')}</th>
            <th>{t('head_reached')}</th>
            <th>
              <span className="vh">{t('head_action')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {caps.map((cap) =>
            editing === cap.name && project !== null ? (
              <tr key={cap.name}>
                <td>{t(`cap_${cap.name}`)}</td>
                <td colSpan={4}>
                  <ValueEditor
                    name={t('capOf', { cap: t(`unit_${cap.name}`), name: project.name })}
                    value={cap.value}
                    read={(typed) => capValue(cap.name, typed)}
                    isPending={change.isPending}
                    onSave={(value) =>
                      change.mutate({ project: project.id, settings: { [cap.name]: value } }, finish)
                    }
                    onClear={
                      cap.source === 'project'
                        ? () => change.mutate({ project: project.id, clear: [cap.name] }, finish)
                        : undefined
                    }
                    onClose={() => setEditing(null)}
                  />
                </td>
              </tr>
            ) : (
              <tr key={cap.name}>
                <td>{t(`cap_${cap.name}`)}</td>
                <td className="num strong">{capText(cap)}</td>
                <td className="t2">{t(`from_${cap.source}`)}</td>
                <td className="t2">{t(`reached_${cap.name}`)}</td>
                <td className="num">
                  {project !== null && (
                    <button
                      type="button"
                      className="link"
                      aria-label={t('changeWhat', { what: t(`cap_${cap.name}`) })}
                      onClick={() => setEditing(cap.name)}
                    >
                      {t('change')}
                    </button>
                  )}
                </td>
              </tr>
            ),
          )}
          {config.values
            .filter((value) => value.name !== 'claude')
            .map((value) => (
              <tr key={value.name}>
                <td>{t(value.name === 'maxProcesses' ? 'maxProcesses' : 'undoSeconds')}</td>
                <td className="num strong">{value.value}</td>
                <td className="t2">{sourceOf(t, value, config.file)}</td>
                <td className="t2">{value.name === 'maxProcesses' ? t('reached_maxProcesses') : ''}</td>
                <td className="num" />
              </tr>
            ))}
        </tbody>
      </table>
      <p className="small t2 caps-note">
        {t('configNote', { file: config.file ?? `${config.folder}/config.toml` })}
      </p>
      {config.problem !== null && (
        <p className="small c-stop" role="alert">
          {config.problem}
        </p>
      )}
      <AgentCaps agents={policy.agents} />
    </>
  );
}
