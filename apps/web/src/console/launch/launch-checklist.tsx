import { inLanguage, studyOf, type WrittenDefinition } from '@atrium/contract'
import { Anchor, List, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { usePilots } from '../agents/study/study-queries.ts'
import { useStoredDraft } from '../builder/draft-queries.ts'
import { useCheck } from '../definition/use-check.ts'
import { type CheckItem, launchChecklist } from './checklist.ts'
import { PaymentForecast } from './payment-forecast.tsx'

interface LaunchChecklistProps {
  experimentId: string
  revision: number
  /** As its author wrote it. */
  definition: WrittenDefinition
}

/** Before people come: what is ready, what somebody should look at, and where. About what would be launched. */
export function LaunchChecklist({ experimentId, revision, definition }: LaunchChecklistProps) {
  const { data: stored } = useStoredDraft(experimentId, true)
  if (stored === undefined) return null
  const written = stored.draft?.definition ?? definition
  return (
    <Checklist
      experimentId={experimentId}
      revision={revision}
      written={written}
      hasDraft={stored.draft !== null}
    />
  )
}

interface ChecklistProps {
  experimentId: string
  revision: number
  written: unknown
  hasDraft: boolean
}

function Checklist({ experimentId, revision, written, hasDraft }: ChecklistProps) {
  const text = texts().launch
  const { checked, isFresh } = useCheck(experimentId, JSON.stringify(written), true)
  const pilots = usePilots(experimentId).data?.pages.flatMap((page) => page.pilots) ?? []
  if (!checked || !isFresh) return null
  const definition = checked.isValid ? inLanguage(studyOf(written as WrittenDefinition)) : undefined
  const items = launchChecklist({
    definition,
    revision,
    findings: checked.findings.filter(({ level }) => level !== 'note').length,
    hasDraft,
    pilots,
  })
  const { payment } = definition?.completion ?? {}
  const open = items.filter(({ state }) => state === 'open').length
  return (
    <>
      <Paper withBorder p="md" component="section" aria-labelledby="checklist" maw={760}>
        <Title order={2} size="h4" id="checklist">
          {text.title}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {hasDraft ? text.ofDraft : text.ofRevision(revision)} {open === 0 ? text.ready : text.open(open)}
        </Text>
        <List
          spacing="xs"
          size="sm"
          center
          styles={{ itemLabel: { lineHeight: 'var(--mantine-line-height-sm)' } }}
        >
          {items.map((item) => (
            <Item key={item.name} experimentId={experimentId} item={item} />
          ))}
        </List>
      </Paper>
      {payment && (
        <PaymentForecast
          experimentId={experimentId}
          capacity={definition?.capacity}
          {...(hasDraft && { draft: written })}
        />
      )}
    </>
  )
}

function Item({
  experimentId,
  item: { name, state, tab, names = [] },
}: {
  experimentId: string
  item: CheckItem
}) {
  const text = texts().launch
  const isDone = state === 'done'
  const { sets } = texts().builder.form
  const wordFor = (each: string) => sets[name]?.[each]?.label.toLowerCase() ?? each
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
      {text.items[name][state]}
      {names.length > 0 && ` ${names.map(wordFor).join(', ')}.`}{' '}
      {!isDone && (
        <Anchor component={Link} href={`/experiments/${experimentId}/${tab}`} size="sm" underline="always">
          {text.goThere[tab]}
        </Anchor>
      )}
    </List.Item>
  )
}
