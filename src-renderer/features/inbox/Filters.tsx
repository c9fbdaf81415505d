import { DropdownMenu } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { byName, useSummary } from '../../app/use-summary.ts';
import { Icon } from '../../components/Icon.tsx';
import { KINDS, type InboxFilter } from './inbox-list.ts';

interface MenuProps {
  readonly label: string;
  readonly all: string;
  readonly value: string | null;
  readonly choices: readonly { readonly value: string; readonly text: string }[];
  readonly onChoose: (value: string | null) => void;
}

const ALL = '';

function FilterMenu({ label, all, value, choices, onChoose }: MenuProps) {
  const chosen = choices.find((each) => each.value === value)?.text ?? value ?? all;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="btn quiet filter" aria-label={`${label}: ${chosen}`}>
        <bdi className="clip">{chosen}</bdi>
        <Icon name="down" isSmall />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu small-menu" align="end">
          <DropdownMenu.RadioGroup
            value={value ?? ALL}
            onValueChange={(next) => onChoose(next === ALL ? null : next)}
          >
            <DropdownMenu.RadioItem value={ALL}>{all}</DropdownMenu.RadioItem>
            {choices.map((choice) => (
              <DropdownMenu.RadioItem key={choice.value} value={choice.value}>
                <bdi>{choice.text}</bdi>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface Props {
  readonly filter: InboxFilter;
  readonly onFilter: (filter: InboxFilter) => void;
}

export function Filters({ filter, onFilter }: Props) {
  const { t } = useTranslation('inbox');
  const projects = byName(useSummary()?.projects ?? []);
  return (
    <>
      <FilterMenu
        label={t('filterKind')}
        all={t('allKinds')}
        value={filter.kind}
        choices={KINDS.map((kind) => ({ value: kind, text: t(`kind_${kind}`) }))}
        onChoose={(kind) => onFilter({ ...filter, kind: KINDS.find((each) => each === kind) ?? null })}
      />
      <FilterMenu
        label={t('filterProject')}
        all={t('allProjects')}
        value={filter.project}
        choices={projects.map(({ name }) => ({ value: name, text: name }))}
        onChoose={(project) => onFilter({ ...filter, project })}
      />
    </>
  );
}
