import type { ExperimentDefinition } from '@atrium/contract'
import { Anchor, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { formatDefinition } from '../definition/check-text.ts'
import { DefinitionWorkbench } from '../definition/definition-workbench.tsx'
import { type PlatformVerdict, refusedPlaces } from '../definition/editor-state.ts'
import { FormatButton } from '../definition/format-button.tsx'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { PageTitle } from '../feedback/page-title.tsx'
import { useLeaveGuard } from '../shell/leave-guard.tsx'
import { useSaveDefinition } from './experiment-queries.ts'
import { type StartingPoint, startingPoints } from './starting-points.ts'

export default function NewExperimentPage() {
  const [start, setStart] = useState<StartingPoint>(startingPoints[0])
  const [text, setText] = useState(() => formatDefinition(start.definition))
  const [wanted, setWanted] = useState<StartingPoint>()
  const [verdict, setVerdict] = useState<PlatformVerdict>()
  const [savedId, setSavedId] = useState<string>()
  const isChanged = text !== formatDefinition(start.definition)
  useLeaveGuard('/console/new', isChanged && savedId === undefined)
  const change = (next: string) => {
    setText(next)
    setVerdict(undefined)
  }
  const begin = (point: StartingPoint) => {
    setStart(point)
    change(formatDefinition(point.definition))
    setWanted(undefined)
  }
  const create = useCreate(setSavedId, setVerdict)
  return (
    <Stack>
      <Anchor component={Link} href="/" size="sm">
        ← Experiments
      </Anchor>
      <PageTitle>New experiment</PageTitle>
      <StartingPointChoice
        present={start}
        onChoose={(point) => (isChanged ? setWanted(point) : begin(point))}
      />
      <DefinitionWorkbench
        text={text}
        onChange={change}
        verdict={verdict}
        actions={({ definition, isFresh }) => (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              It is saved as a draft: nobody can join until you start recruiting.
            </Text>
            <Group gap="sm">
              <FormatButton text={text} onFormat={change} />
              <Button
                disabled={!definition || !isFresh}
                loading={create.isPending}
                onClick={() => definition && create.run(definition)}
              >
                Save
              </Button>
            </Group>
          </Group>
        )}
      />
      <ConfirmDialog
        isOpen={wanted !== undefined}
        title="Replace what you have written?"
        confirmLabel={`Start from “${wanted?.title}”`}
        isDangerous
        onConfirm={() => wanted && begin(wanted)}
        onCancel={() => setWanted(undefined)}
      >
        <Text>The definition has changes. Another starting point replaces all of it.</Text>
      </ConfirmDialog>
    </Stack>
  )
}

function useCreate(onSaved: (experimentId: string) => void, onVerdict: (verdict: PlatformVerdict) => void) {
  const save = useSaveDefinition(undefined)
  const [, navigate] = useLocation()
  const run = (definition: ExperimentDefinition) =>
    save.mutate(definition, {
      onSuccess: ({ experimentId }) => {
        onSaved(experimentId)
        notifyDone(`“${definition.name}” is saved as a draft.`)
        // After the guard has heard that nothing is unsaved any more.
        setTimeout(() => navigate(`/experiments/${experimentId}`))
      },
      onError: (error) => {
        onVerdict({ level: 'error', issues: refusedPlaces(error) })
        notifyFailed('The experiment was not saved', error)
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
    <Radio.Group label="Start from" value={present.id} onChange={choose}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" mt={4}>
        {startingPoints.map(({ id, title, description }) => (
          <Radio.Card key={id} value={id} p="sm" display="flex" style={{ alignItems: 'flex-start' }}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
