import type { componentTypes } from '@atrium/contract/components'
import { SimpleGrid, Text, Title, UnstyledButton } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { typesFor } from './core/components.ts'
import type { Path } from './core/document.ts'
import { withCode } from './form/description.tsx'
import { PickerDialog } from './form/picker-dialog.tsx'

interface ComponentPickerProps {
  isOpen: boolean
  list: Path
  onClose: () => void
  onPick: (type: string) => void
}

type Type = (typeof componentTypes)[keyof typeof componentTypes]

/** In the order of the dialog. */
const groups = ['shown', 'asked', 'ongoing'] as const

/** Every type of the catalogue that can stand there, with what it is for. */
export function ComponentPicker({ isOpen, list, onClose, onPick }: ComponentPickerProps) {
  const text = texts().builder.components
  return (
    <PickerDialog isOpen={isOpen} title={text.pick} size="xl" hasSearch onClose={onClose}>
      {(wanted) => {
        const found = Map.groupBy(
          typesFor(list).filter(({ type, title, description }) =>
            [type, title, description].some((words) => words.toLowerCase().includes(wanted)),
          ),
          groupOf,
        )
        return (
          <>
            {groups.map((group) => (
              <Group key={group} title={text.groups[group]} types={found.get(group) ?? []} onPick={onPick} />
            ))}
            {found.size === 0 && <Text size="sm">{text.nothingFound}</Text>}
          </>
        )
      }}
    </PickerDialog>
  )
}

interface GroupProps extends Pick<ComponentPickerProps, 'onPick'> {
  title: string
  types: Type[]
}

function Group({ title, types, onPick }: GroupProps) {
  if (types.length === 0) return null
  return (
    <>
      <Title order={3} size="h6" c="dimmed" mt="md" mb={4}>
        {title}
      </Title>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2 }} spacing={4} className="builder-picks">
        {types.map(({ type, title: name, description }) => (
          <li key={type}>
            <UnstyledButton className="builder-pick" onClick={() => onPick(type)}>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {withCode(firstSentenceOf(description))}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </SimpleGrid>
    </>
  )
}

function groupOf({ responds, plays, takesMessages }: Type): (typeof groups)[number] {
  if (takesMessages || responds === 'many') return 'ongoing'
  return responds === 'none' || plays !== null ? 'shown' : 'asked'
}

/** The rest is beside the settings, once there is one; a link has no place on a button. */
const firstSentenceOf = (description: string): string =>
  (/^.*?[.](?= |$)/s.exec(description)?.[0] ?? description).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
