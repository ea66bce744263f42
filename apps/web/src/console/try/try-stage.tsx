import {
  type ExperimentDefinition,
  inLanguage,
  roleIdsOf,
  studyOf,
  type WrittenDefinition,
} from '@atrium/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CallFailed } from '../../api/call.ts'
import { texts } from '../../text/console.ts'
import { formsGroups } from '../definition/forms-groups.ts'
import { Failure } from '../feedback/failure.tsx'
import { PageSkeleton } from '../feedback/loaded.tsx'
import { type PaneWidth, TryPanes } from './try-panes.tsx'
import { TryTools } from './try-tools.tsx'
import { type TryOptions, useTry } from './use-try.ts'
import './try.css'

interface TryStageProps {
  experimentId: string
  /** Checked, so that it is one. */
  definition: WrittenDefinition
}

/** Plays the draft, one pane for each role. */
export default function TryStage({ experimentId, definition: written }: TryStageProps) {
  const text = texts().tryIt
  const [options, setOptions] = useState<TryOptions>({ speed: 1, fill: false, startAt: undefined })
  const [width, setWidth] = useState<PaneWidth>('phone')
  const { state, again, clear, share } = useTry(experimentId, written, options)
  const definition = useMemo(() => inLanguage(studyOf(written)), [written])
  const started = state.kind === 'playing' ? state.started : undefined
  return (
    <Stack gap="sm" className="try-stage">
      <Text size="sm" c="dimmed">
        {text.hint} {options.startAt !== undefined && text.skipped}
      </Text>
      <TryTools
        options={options}
        onOptions={setOptions}
        states={definition.states.map(({ id, name }) => ({ id, label: String(name ?? id) }))}
        isGroup={formsGroups(written)}
        width={width}
        onWidth={setWidth}
        onAgain={again}
        link={started && location.origin + started.link}
        onShare={() => started && share(started.tryId)}
      />
      {state.kind === 'starting' && <PageSkeleton />}
      {state.kind === 'failed' && (
        <>
          <Failure title={text.failed} error={state.error} onRetry={again} />
          {state.error instanceof CallFailed && state.error.code === 'ACTION_REFUSED' && (
            <Group>
              <Button variant="default" onClick={() => void clear()}>
                {text.clear}
              </Button>
            </Group>
          )}
        </>
      )}
      {started && (
        <TryPanes
          key={started.tryId}
          started={started}
          width={width}
          nameOfRole={(role) => roleNamed(definition, role)}
        />
      )}
    </Stack>
  )
}

/** Undefined for somebody who takes any role. */
function roleNamed(definition: ExperimentDefinition, id: string): string | undefined {
  if (!roleIdsOf(definition).includes(id)) return undefined
  const role = definition.roles?.find((one) => typeof one !== 'string' && one.id === id)
  return typeof role === 'object' && typeof role.name === 'string' ? role.name : id
}
