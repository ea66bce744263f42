import {
  type ExperimentAccess,
  type ExperimentDefinition,
  mayWith,
  type PersonTimeline,
  privacyRoutes,
} from '@atrium/contract'
import { Anchor, Button, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { texts } from '../../text/console.ts'
import { ExportProgress } from '../exports/export-progress.tsx'
import { useExport } from '../exports/use-export.ts'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { useTimeline } from './people-queries.ts'
import { StepList } from './step-list.tsx'

interface PersonViewProps {
  experimentId: string
  definition: ExperimentDefinition
  access: ExperimentAccess
  participantId: string
  onBack: () => void
}

export function PersonView(props: PersonViewProps) {
  const { experimentId, participantId, access, onBack } = props
  const text = texts().people
  const timeline = useTimeline(experimentId, participantId)
  return (
    <section aria-labelledby="person">
      <Stack>
        <Anchor component="button" type="button" size="sm" ta="left" onClick={onBack}>
          {text.back}
        </Anchor>
        <Title order={2} size="h4" id="person" style={{ overflowWrap: 'anywhere' }}>
          {participantId}
        </Title>
        {mayWith(access, 'owner') && <PersonSteps {...props} />}
        <Loaded query={timeline} skeletonHeight={360}>
          {(data) => <Timeline {...data} />}
        </Loaded>
      </Stack>
    </section>
  )
}

/** R48: for the owner and administrators. */
function PersonSteps({ experimentId, participantId, definition, onBack }: PersonViewProps) {
  const { people: text, data, feedback } = texts()
  const [isErasing, { open, close }] = useDisclosure()
  const file = { name: text.exportName(participantId), ending: 'json' }
  const { state, start, cancel } = useExport(file, (api, signal) =>
    api.callRaw(privacyRoutes.export, { params: { experimentId, participantId }, signal }),
  )
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={state.kind === 'running'} onClick={() => void start()}>
          {text.export}
        </Button>
        {state.kind === 'running' && (
          <Button variant="default" onClick={cancel}>
            {feedback.cancel}
          </Button>
        )}
        <Button variant="outline" color="red" onClick={open}>
          {text.delete}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" maw={620}>
        {text.exportHint}
      </Text>
      <ExportProgress state={state} expected={undefined} words={data} onRetry={start} />
      <EraseDialog
        experimentId={experimentId}
        participantId={participantId}
        policy={definition.withdrawal}
        isOpen={isErasing}
        onClose={close}
        onErased={onBack}
      />
    </Stack>
  )
}

function Timeline({ person, steps, isComplete, events }: PersonTimeline) {
  const { people: text, feedback, format } = texts()
  const { facts, columns } = text
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="sm">
        <Figure label={columns.status} value={text.statuses[person.status]} />
        <Figure label={columns.outcome} value={person.outcome ?? feedback.none} />
        <Figure label={columns.alias} value={person.alias ?? feedback.none} note={person.role ?? ''} />
        <Figure label={facts.events} value={format.number(events)} />
      </SimpleGrid>
      {person.roomId !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {facts.room} <Code>{person.roomId}</Code>
        </Text>
      )}
      <Title order={3} size="h5">
        {text.timeline}
      </Title>
      <StepList steps={steps} />
      {!isComplete && <Text size="sm">{text.more}</Text>}
    </Stack>
  )
}
