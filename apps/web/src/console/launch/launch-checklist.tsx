import type { ExperimentDefinition } from '@atrium/contract'
import { Anchor, List, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { usePilots } from '../agents/study/study-queries.ts'
import { useStoredDraft } from '../builder/draft-queries.ts'
import { useCheck } from '../definition/use-check.ts'
import { type CheckItem, launchChecklist } from './checklist.ts'

interface LaunchChecklistProps {
  experimentId: string
  revision: number
  definition: ExperimentDefinition
}

/** Before people come: what is ready, what somebody should look at, and where. */
export function LaunchChecklist({ experimentId, revision, definition }: LaunchChecklistProps) {
  const text = texts().launch
  const { checked } = useCheck(experimentId, JSON.stringify(definition), true)
  const pilots = usePilots(experimentId).data?.pages.flatMap((page) => page.pilots) ?? []
  const { data: stored } = useStoredDraft(experimentId, true)
  const items = launchChecklist({
    definition,
    revision,
    findings: checked?.findings.length ?? 0,
    hasDraft: (stored?.draft ?? null) !== null,
    pilots,
  })
  const open = items.filter(({ state }) => state === 'open').length
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="checklist" maw={760}>
      <Title order={2} size="h4" id="checklist">
        {text.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {open === 0 ? text.ready : text.open(open)}
      </Text>
      <List spacing="xs" size="sm" center>
        {items.map((item) => (
          <Item key={item.name} experimentId={experimentId} item={item} />
        ))}
      </List>
    </Paper>
  )
}

function Item({ experimentId, item: { name, state, tab } }: { experimentId: string; item: CheckItem }) {
  const text = texts().launch
  const isDone = state === 'done'
  return (
    <List.Item
      icon={
        <ThemeIcon
          size={22}
          radius="xl"
          variant={isDone ? 'filled' : 'default'}
          {...(isDone && { color: 'teal.9' })}
          role="img"
          aria-label={isDone ? text.isDone : text.isOpen}
        >
          {isDone ? '✓' : '·'}
        </ThemeIcon>
      }
    >
      {text.items[name][state]}{' '}
      {!isDone && (
        <Anchor component={Link} href={`/experiments/${experimentId}/${tab}`} size="sm" underline="always">
          {text.goThere[tab]}
        </Anchor>
      )}
    </List.Item>
  )
}
