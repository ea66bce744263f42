import type { DefinitionFinding, ExperimentDefinition } from '@atrium/contract'
import { Anchor, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { asFindings, formatDefinition } from '../definition/check-text.ts'
import { DefinitionWorkbench } from '../definition/definition-workbench.tsx'
import { refusedPlaces } from '../definition/editor-state.ts'
import { FormatButton } from '../definition/format-button.tsx'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { PageTitle } from '../feedback/page-title.tsx'
import { useLeaveGuard } from '../shell/leave-guard.tsx'
import { useCreateExperiment } from './experiment-queries.ts'
import { type StartingPoint, startingPoints, startingPointText } from './starting-points.ts'

export default function NewExperimentPage() {
  const [start, setStart] = useState<StartingPoint>(startingPoints[0])
  const text = texts().newExperiment
  const [written, setWritten] = useState(() => formatDefinition(start.definition))
  const [wanted, setWanted] = useState<StartingPoint>()
  const [refused, setRefused] = useState<readonly DefinitionFinding[]>([])
  const [savedId, setSavedId] = useState<string>()
  const isChanged = written !== formatDefinition(start.definition)
  useLeaveGuard('/console/new', isChanged && savedId === undefined)
  const change = (next: string) => {
    setWritten(next)
    setRefused([])
  }
  const begin = (point: StartingPoint) => {
    setStart(point)
    change(formatDefinition(point.definition))
    setWanted(undefined)
  }
  const create = useCreate(setSavedId, setRefused)
  return (
    <Stack>
      <Anchor component={Link} href="/" size="sm">
        {texts().experiments.back}
      </Anchor>
      <PageTitle>{text.title}</PageTitle>
      <StartingPointChoice
        present={start}
        onChoose={(point) => (isChanged ? setWanted(point) : begin(point))}
      />
      <DefinitionWorkbench
        experimentId={undefined}
        text={written}
        onChange={change}
        refused={refused}
        actions={(savable) => (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {text.intro}
            </Text>
            <Group gap="sm">
              <FormatButton text={written} onFormat={change} />
              <Button
                disabled={!savable}
                loading={create.isPending}
                onClick={() => savable && create.run(savable)}
              >
                {text.save}
              </Button>
            </Group>
          </Group>
        )}
      />
      <ConfirmDialog
        isOpen={wanted !== undefined}
        title={text.replaceTitle}
        confirmLabel={wanted ? text.replace(startingPointText(wanted).title) : ''}
        isDangerous
        onConfirm={() => wanted && begin(wanted)}
        onCancel={() => setWanted(undefined)}
      >
        <Text>{text.replaceMessage}</Text>
      </ConfirmDialog>
    </Stack>
  )
}

function useCreate(
  onSaved: (experimentId: string) => void,
  onRefused: (findings: DefinitionFinding[]) => void,
) {
  const save = useCreateExperiment()
  const [, navigate] = useLocation()
  const run = (definition: ExperimentDefinition) =>
    save.mutate(definition, {
      onSuccess: ({ experimentId }) => {
        onSaved(experimentId)
        notifyDone(texts().newExperiment.saved(definition.name))
        // Only once the guard knows that nothing is unsaved.
        setTimeout(() => navigate(`/experiments/${experimentId}`))
      },
      onError: (error) => {
        onRefused(asFindings('error', refusedPlaces(error)))
        notifyFailed(texts().newExperiment.notSaved, error)
      },
    })
  return { run, isPending: save.isPending }
}

interface ChoiceProps {
  present: StartingPoint
  onChoose: (point: StartingPoint) => void
}

function StartingPointChoice({ present, onChoose }: ChoiceProps) {
  const choose = (id: string) => {
    const point = startingPoints.find((each) => each.id === id)
    if (point && point !== present) onChoose(point)
  }
  return (
    <Radio.Group label={texts().newExperiment.startFrom} value={present.id} onChange={choose}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="sm" mt={4}>
        {startingPoints.map((point) => (
          <Radio.Card
            key={point.id}
            value={point.id}
            p="sm"
            display="flex"
            style={{ alignItems: 'flex-start' }}
          >
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600}>
                  {startingPointText(point).title}
                </Text>
                <Text size="xs" c="dimmed">
                  {startingPointText(point).description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
