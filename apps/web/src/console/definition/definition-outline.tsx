import type { ExperimentDefinition } from '@atrium/contract'
import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { texts } from '../../text/console.ts'
import { useVideos } from '../media/video-queries.ts'
import { type Outline, type OutlinedState, outlineOf, usesVideos } from './outline.ts'

interface DefinitionOutlineProps {
  definition: ExperimentDefinition
  /** The text cannot be read at the moment; the outline shows what it was before. */
  isStale: boolean
  onChoose: (path: string) => void
}

export function DefinitionOutline({ definition, isStale, onChoose }: DefinitionOutlineProps) {
  const { data: videos } = useVideos({ isEnabled: usesVideos(definition) })
  const { facts, states, globals } = useMemo(() => {
    const names = videos && new Map(videos.map(({ videoId, filename }) => [videoId, filename]))
    return outlineOf(definition, names)
  }, [definition, videos])
  return (
    <Paper withBorder p="sm">
      <Title order={2} size="h5" mb="xs">
        {isStale ? texts().outline.staleTitle : texts().outline.title}
      </Title>
      <Text component="dl" size="sm" m={0} mb="sm">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" display="inline" c="dimmed" size="sm">
              {label}:{' '}
            </Text>
            <Text component="dd" display="inline" m={0} size="sm">
              {value}
            </Text>
          </div>
        ))}
      </Text>
      <Stack component="ol" gap="sm" pl="lg" m={0} fz="sm">
        {states.map((state) => (
          <li key={state.path}>
            <StateOutline state={state} onChoose={onChoose} />
          </li>
        ))}
      </Stack>
      {globals.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="sm">
            {texts().outline.acrossStates}
          </Text>
          <Components components={globals} />
        </>
      )}
    </Paper>
  )
}

function StateOutline({ state, onChoose }: { state: OutlinedState; onChoose: (path: string) => void }) {
  return (
    <>
      <Anchor component="button" type="button" size="sm" fw={600} onClick={() => onChoose(state.path)}>
        {state.title}
      </Anchor>
      {state.title !== state.id && (
        <Text span size="xs" c="dimmed">
          {' '}
          {state.id}
        </Text>
      )}
      <Components components={state.components} />
      <Text size="xs" c="dimmed">
        {texts().outline.flow(state.ends, state.leadsTo)}
      </Text>
    </>
  )
}

function Components({ components }: { components: Outline['globals'] }) {
  if (components.length === 0) return null
  return (
    <Text component="ul" size="sm" m={0} pl="md">
      {components.map(({ id, title, note }) => (
        <li key={id}>
          {title}{' '}
          <Text span size="xs" c="dimmed">
            {id}
            {note !== '' && ` · ${note}`}
          </Text>
        </li>
      ))}
    </Text>
  )
}
