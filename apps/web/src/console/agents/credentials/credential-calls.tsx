import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../feedback/loaded.tsx'
import { CallPanel, panelHeight, RangeControl, usualMinutes } from '../figures/call-panel.tsx'
import { useCredentialFigures } from './credential-queries.ts'

/** What was asked of a model server, in all studies and pilots. */
export function CredentialCalls({ credentialId }: { credentialId: string }) {
  const [minutes, setMinutes] = useState<number>(usualMinutes)
  const figures = useCredentialFigures(credentialId, minutes)
  return (
    <Stack gap="sm" mt="sm">
      <Group>
        <RangeControl minutes={minutes} onChange={setMinutes} />
      </Group>
      <Loaded query={figures} skeletonHeight={panelHeight}>
        {(data) => (
          <CallPanel
            counted={{ window: data, figures: data }}
            minutes={minutes}
            now={figures.dataUpdatedAt}
          />
        )}
      </Loaded>
    </Stack>
  )
}
